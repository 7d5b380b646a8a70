// RUN: polyopt-opt %s -p reroll-loops | filecheck %s

// A body that does the same thing for this and the next value of the counter does it once; the loop
// counts by one, to the end of the last iteration that it had.

func.func @pair(%a: memref<?xf32>, %s: f32, %first: i32, %n: i32) -> i32 {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  cf.br ^header(%first : i32)
^header(%i: i32):
  %end = arith.subi %n, %one overflow<nsw> : i32
  %more = arith.cmpi slt, %i, %end : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %p = arith.index_cast %i : i32 to index
  %x = memref.load %a[%p] : memref<?xf32>
  %u = arith.mulf %s, %x : f32
  memref.store %u, %a[%p] : memref<?xf32>
  %j = arith.addi %i, %one overflow<nsw> : i32
  %q = arith.index_cast %j : i32 to index
  %y = memref.load %a[%q] : memref<?xf32>
  %v = arith.mulf %s, %y : f32
  memref.store %v, %a[%q] : memref<?xf32>
  %next = arith.addi %i, %two overflow<nsw> : i32
  cf.br ^header(%next : i32)
^exit:
  func.return %i : i32
}

// CHECK-LABEL: func.func @pair
// CHECK-SAME:    {poly.written_anew}
// CHECK:         %end = arith.subi %n, %one overflow<nsw> : i32
// CHECK-NEXT:    [[MASK:%\d+]] = arith.constant 1 : i32
// CHECK-NEXT:    [[APART:%\d+]] = arith.subi %first, %end : i32
// CHECK-NEXT:    [[REST:%\d+]] = arith.andi [[APART]], [[MASK]] : i32
// CHECK-NEXT:    [[BOUND:%\d+]] = arith.addi %end, [[REST]] overflow<nsw> : i32
// CHECK-NEXT:    [[STEP:%\d+]] = arith.constant 1 : i32
// CHECK-NEXT:    cf.br [[HEADER:\^\w+]](%first : i32)
// CHECK:         %more = arith.cmpi slt, %i, [[BOUND]] : i32
// CHECK:         memref.load
// CHECK-NEXT:    %u = arith.mulf
// CHECK-NEXT:    memref.store %u
// CHECK-NEXT:    %next = arith.addi %i, [[STEP]] overflow<nsw> : i32
// CHECK-NEXT:    cf.br [[HEADER]](%next : i32)
