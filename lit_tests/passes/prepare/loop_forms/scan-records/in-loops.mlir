// RUN: polyopt-opt %s -p 'scan-records{block=32}' | filecheck %s

// A search in a loop that calls what may do anything is taken; one in a loop that the polyhedral
// middle may have as lanes is left to it.

func.func private @note(i32)

// CHECK-LABEL: func.func @noted
// CHECK:         cf.cond_br {{.*}} {cmem.seldom}
// CHECK-NOT:     cmem.seldom
func.func @noted(%a: memref<?xf32>, %n: i32, %out: memref<?xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^outer(%zero : i32)
^outer(%k: i32):
  %again = arith.cmpi slt, %k, %n : i32
  cf.cond_br %again, ^header(%zero, %one : i32, i32), ^exit
^header(%at: i32, %i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^found_all
^body:
  %p = arith.index_cast %i : i32 to index
  %x = memref.load %a[%p] : memref<?xf32>
  %q = arith.index_cast %at : i32 to index
  %m = memref.load %a[%q] : memref<?xf32>
  %beats = arith.cmpf ogt, %x, %m : f32
  cf.cond_br %beats, ^found, ^latch(%at : i32)
^found:
  cf.br ^latch(%i : i32)
^latch(%at_2: i32):
  %i_2 = arith.addi %i, %one overflow<nsw> : i32
  cf.br ^header(%at_2, %i_2 : i32, i32)
^found_all:
  func.call @note(%at) : (i32) -> ()
  %k_2 = arith.addi %k, %one overflow<nsw> : i32
  cf.br ^outer(%k_2 : i32)
^exit:
  func.return
}

// CHECK-LABEL: func.func @stored
// CHECK-NOT:     cmem.seldom
func.func @stored(%a: memref<?xf32>, %n: i32, %out: memref<?xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^outer(%zero : i32)
^outer(%k: i32):
  %again = arith.cmpi slt, %k, %n : i32
  cf.cond_br %again, ^header(%zero, %one : i32, i32), ^exit
^header(%at: i32, %i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^found_all
^body:
  %p = arith.index_cast %i : i32 to index
  %x = memref.load %a[%p] : memref<?xf32>
  %q = arith.index_cast %at : i32 to index
  %m = memref.load %a[%q] : memref<?xf32>
  %beats = arith.cmpf ogt, %x, %m : f32
  cf.cond_br %beats, ^found, ^latch(%at : i32)
^found:
  cf.br ^latch(%i : i32)
^latch(%at_2: i32):
  %i_2 = arith.addi %i, %one overflow<nsw> : i32
  cf.br ^header(%at_2, %i_2 : i32, i32)
^found_all:
  %r = arith.index_cast %k : i32 to index
  memref.store %at, %out[%r] : memref<?xi32>
  %k_2 = arith.addi %k, %one overflow<nsw> : i32
  cf.br ^outer(%k_2 : i32)
^exit:
  func.return
}
