// RUN: polyopt-opt %s -p affine-to-scf | filecheck %s

// A quotient to minus infinity by a power of two is a shift, for every type and sign of what is
// divided; by other numbers, negative ones among them, it stays a division.

func.func @shifts(%n: index, %k: i32) -> (index, i32, index) {
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  %k4 = arith.constant 4 : i32
  %a = arith.floordivsi %n, %c8 : index
  %b = arith.floordivsi %k, %k4 : i32
  %c = arith.floordivsi %n, %c1 : index
  func.return %a, %b, %c : index, i32, index
}

// CHECK-LABEL: func.func @shifts
// CHECK:         %[[THREE:.*]] = arith.constant 3 : index
// CHECK-NEXT:    %a = arith.shrsi %n, %[[THREE]] : index
// CHECK:         %[[TWO:.*]] = arith.constant 2 : i32
// CHECK-NEXT:    %b = arith.shrsi %k, %[[TWO]] : i32
// CHECK:         %c = arith.shrsi %n

func.func @divisions(%n: index, %k: i32) -> (index, i32, index) {
  %c6 = arith.constant 6 : index
  %least = arith.constant -2147483648 : i32
  %a = arith.floordivsi %n, %c6 : index
  %b = arith.floordivsi %k, %least : i32
  %c = arith.floordivsi %n, %n : index
  func.return %a, %b, %c : index, i32, index
}

// CHECK-LABEL: func.func @divisions
// CHECK:         %a = arith.floordivsi
// CHECK-NEXT:    %b = arith.floordivsi
// CHECK-NEXT:    %c = arith.floordivsi
