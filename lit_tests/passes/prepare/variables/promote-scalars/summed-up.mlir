// RUN: polyopt-opt %s -p promote-scalars | filecheck %s

// Data are added up in an inner loop, and the sum is compared and kept: it stays in memory. The loops' counters are values.
func.func @least_sum(%n: i32, %A: memref<?xi32>, %r: memref<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = memref.alloca() : memref<i32>
  %best = memref.alloca() : memref<i32>
  memref.store %n, %best[] : memref<i32>
  cf.br ^rows(%zero : i32)
^rows(%y: i32):
  memref.store %zero, %s[] : memref<i32>
  cf.br ^row(%zero : i32)
^row(%i: i32):
  %at = arith.index_cast %i : i32 to index
  %a = memref.load %A[%at] : memref<?xi32>
  %old = memref.load %s[] : memref<i32>
  %new = arith.addi %old, %a : i32
  memref.store %new, %s[] : memref<i32>
  %i1 = arith.addi %i, %one : i32
  %more = arith.cmpi slt, %i1, %n : i32
  cf.cond_br %more, ^row(%i1 : i32), ^end
^end:
  %sum = memref.load %s[] : memref<i32>
  %least = memref.load %best[] : memref<i32>
  %less = arith.cmpi slt, %sum, %least : i32
  cf.cond_br %less, ^keep, ^next
^keep:
  %kept = memref.load %s[] : memref<i32>
  memref.store %kept, %best[] : memref<i32>
  cf.br ^next
^next:
  %y1 = arith.addi %y, %one : i32
  %again = arith.cmpi slt, %y1, %n : i32
  cf.cond_br %again, ^rows(%y1 : i32), ^done
^done:
  %last = memref.load %best[] : memref<i32>
  memref.store %last, %r[] : memref<i32>
  func.return
}

// CHECK-LABEL: func.func @least_sum
// CHECK:         %s = memref.alloca() : memref<i32>
// CHECK:         memref.load %A
// CHECK:         memref.store %{{.*}}, %s[] : memref<i32>

// What ends a loop of its own, or is an address, is a value.
func.func @sum_that_leads(%n: i32, %A: memref<?xi32>, %r: memref<?xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = memref.alloca() : memref<i32>
  memref.store %zero, %s[] : memref<i32>
  cf.br ^row(%zero : i32)
^row(%i: i32):
  %at = arith.index_cast %i : i32 to index
  %a = memref.load %A[%at] : memref<?xi32>
  %old = memref.load %s[] : memref<i32>
  %new = arith.addi %old, %a : i32
  memref.store %new, %s[] : memref<i32>
  %i1 = arith.addi %i, %one : i32
  %sum = memref.load %s[] : memref<i32>
  %more = arith.cmpi slt, %sum, %n : i32
  cf.cond_br %more, ^row(%i1 : i32), ^end
^end:
  %last = memref.load %s[] : memref<i32>
  %place = arith.index_cast %last : i32 to index
  memref.store %one, %r[%place] : memref<?xi32>
  func.return
}

// CHECK-LABEL: func.func @sum_that_leads
// CHECK-NOT:     memref.alloca
