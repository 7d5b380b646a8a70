// RUN: polyopt-opt %s -p 'scan-records{block=32}' | filecheck %s

// A search asks for a block of iterations at once whether any of them finds a record, goes on with the
// next block where none does, and else runs these iterations as they were.

func.func @place(%a: memref<?xf32>, %n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^header(%zero, %one : i32, i32)
^header(%at: i32, %i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
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
^exit:
  func.return %at : i32
}

// CHECK-LABEL: func.func @place
// CHECK:         cf.br [[START:\^bb\d+]](%zero, %one : i32, i32)
// CHECK:       [[START]](%at: i32, %i: i32):
// CHECK-NEXT:    %more = arith.cmpi slt, %i, %n : i32
// CHECK-NEXT:    [[LEFT:%\d+]] = arith.subi %n, %i : i32
// CHECK-NEXT:    [[SIZE:%\d+]] = arith.constant 32 : i32
// CHECK-NEXT:    [[ENOUGH:%\d+]] = arith.cmpi uge, [[LEFT]], [[SIZE]] : i32
// CHECK-NEXT:    [[WHOLE:%\d+]] = arith.andi %more, [[ENOUGH]] : i1
// CHECK-NEXT:    [[LIMIT:%\d+]] = arith.addi %i, [[SIZE]] : i32
// CHECK-NEXT:    [[NONE:%\d+]] = arith.constant false
// CHECK-NEXT:    cf.cond_br [[WHOLE]], [[SCAN:\^bb\d+]](%i, [[NONE]] : i32, i1), [[LOOP:\^\w+]](%at, %i : i32, i32)
// CHECK-NEXT:  [[SCAN]](%i_1: i32, [[ANY:%\d+]]: i1):
// CHECK:         %beats = arith.cmpf ogt, %x, %m : f32
// CHECK-NEXT:    %i_2 = arith.addi %i_1, %one overflow<nsw> : i32
// CHECK-NEXT:    [[FOUND:%\d+]] = arith.ori [[ANY]], %beats : i1
// CHECK-NEXT:    [[LAST:%\d+]] = arith.cmpi eq, %i_2, [[LIMIT]] : i32
// CHECK-NEXT:    cf.cond_br [[LAST]], [[SCANNED:\^bb\d+]]([[FOUND]] : i1), [[SCAN]](%i_2, [[FOUND]] : i32, i1)
// CHECK-NEXT:  [[SCANNED]]([[SOME:%\d+]]: i1):
// CHECK-NEXT:    cf.cond_br [[SOME]], [[LOOP]](%at, %i : i32, i32), [[START]](%at, [[LIMIT]] : i32, i32)
// CHECK-NEXT:  [[LOOP]](%at_1: i32, %i_3: i32):
// CHECK:         cf.cond_br %beats_1, {{.*}} {cmem.seldom}
// CHECK:         [[END:%\d+]] = arith.cmpi eq, %i_4, [[LIMIT]] : i32
// CHECK-NEXT:    cf.cond_br [[END]], [[START]](%at_2, %i_4 : i32, i32), [[LOOP]](%at_2, %i_4 : i32, i32)

// The two greatest: the second is looked for in the rest of the search for the first, by the same load.
// A branch that does nothing but keep a greater one may become a maximum: where all beat it that is worth more.
// CHECK-LABEL: func.func @two
// CHECK:         [[ANY:%.*]] = arith.ori
// CHECK:         arith.ori [[ANY]],
// CHECK:         cf.cond_br %beats_2, {{.*}} {cmem.seldom}
// CHECK-NOT:     cmem.seldom
// CHECK:         cf.cond_br %beats_3, ^{{.*}}, ^{{.*}}(%{{.*}} : i32)
// CHECK-NOT:     cmem.seldom
func.func @two(%a: memref<?xi32>, %n: i32, %first: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^header(%first, %first, %zero : i32, i32, i32)
^header(%m: i32, %k: i32, %i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %p = arith.index_cast %i : i32 to index
  %x = memref.load %a[%p] : memref<?xi32>
  %beats = arith.cmpi sgt, %x, %m : i32
  cf.cond_br %beats, ^found, ^rest
^found:
  cf.br ^latch(%x, %m : i32, i32)
^rest:
  %y = memref.load %a[%p] : memref<?xi32>
  %beats_2 = arith.cmpi sgt, %y, %k : i32
  cf.cond_br %beats_2, ^found_2, ^join(%k : i32)
^found_2:
  cf.br ^join(%y : i32)
^join(%k_2: i32):
  cf.br ^latch(%m, %k_2 : i32, i32)
^latch(%m_3: i32, %k_3: i32):
  %i_2 = arith.addi %i, %one overflow<nsw> : i32
  cf.br ^header(%m_3, %k_3, %i_2 : i32, i32, i32)
^exit:
  %sum = arith.addi %m, %k : i32
  func.return %sum : i32
}
