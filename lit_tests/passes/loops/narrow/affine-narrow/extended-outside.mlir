// What was widened in front of the loop is what it was made of: a byte compared with another one takes
// bytes, with a sign or without, but not one of each kind.
// RUN: polyopt-opt %s -p affine-narrow | filecheck %s

// CHECK-LABEL: func.func @signed(
// CHECK:         arith.cmpi slt, {{.*}} : i8
func.func @signed(%A: memref<?xi8>, %n: index, %low: i8) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi8>
    %x = arith.extsi %a : i8 to i32
    %y = arith.extsi %low : i8 to i32
    %c = arith.cmpi slt, %x, %y : i32
    %m = arith.select %c, %low, %a : i8
    affine.store %m, %A[%i] : memref<?xi8>
  }
  func.return
}

// CHECK-LABEL: func.func @unsigned(
// CHECK:         arith.cmpi ult, {{.*}} : i8
func.func @unsigned(%A: memref<?xi8>, %n: index, %low: i8) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi8>
    %x = arith.extui %a : i8 to i32
    %y = arith.extui %low : i8 to i32
    %c = arith.cmpi slt, %x, %y : i32
    %m = arith.select %c, %low, %a : i8
    affine.store %m, %A[%i] : memref<?xi8>
  }
  func.return
}

// CHECK-LABEL: func.func @one_of_each(
// CHECK:         arith.cmpi slt, {{.*}} : i16
func.func @one_of_each(%A: memref<?xi8>, %n: index, %low: i8) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi8>
    %x = arith.extui %a : i8 to i32
    %y = arith.extsi %low : i8 to i32
    %c = arith.cmpi slt, %x, %y : i32
    %m = arith.select %c, %low, %a : i8
    affine.store %m, %A[%i] : memref<?xi8>
  }
  func.return
}
