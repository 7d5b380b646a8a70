// RUN: polyopt-opt %s -p promote-scalars | filecheck %s

// The sum is scaled before it is compared and kept: it stays in memory, too.
func.func @scaled(%n: i32, %A: memref<?xi32>, %r: memref<i32>) {
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
  %more = arith.cmpi slt, %i1, %n : i32
  cf.cond_br %more, ^row(%i1 : i32), ^end
^end:
  %sum = memref.load %s[] : memref<i32>
  %part = arith.shrsi %sum, %one : i32
  %less = arith.cmpi slt, %part, %zero : i32
  cf.cond_br %less, ^done, ^keep
^keep:
  memref.store %part, %r[] : memref<i32>
  cf.br ^done
^done:
  func.return
}

// CHECK-LABEL: func.func @scaled
// CHECK:         %s = memref.alloca() : memref<i32>
// CHECK:         memref.store %{{.*}}, %s[] : memref<i32>

// Scaled, it is an address: a value.
func.func @scaled_address(%n: i32, %A: memref<?xi32>, %r: memref<?xi32>) {
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
  %more = arith.cmpi slt, %i1, %n : i32
  cf.cond_br %more, ^row(%i1 : i32), ^end
^end:
  %sum = memref.load %s[] : memref<i32>
  %part = arith.shrsi %sum, %one : i32
  %less = arith.cmpi slt, %part, %zero : i32
  %place = arith.index_cast %part : i32 to index
  cf.cond_br %less, ^done, ^keep
^keep:
  memref.store %part, %r[%place] : memref<?xi32>
  cf.br ^done
^done:
  func.return
}

// CHECK-LABEL: func.func @scaled_address
// CHECK-NOT:     memref.alloca
