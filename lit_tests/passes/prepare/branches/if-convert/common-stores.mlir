// What both arms store to one place is chosen in front of them and stored behind them; what one arm
// stores alone stays there. Not where another store of an arm may be to the same place.
// RUN: polyopt-opt %s -p if-convert | filecheck %s

func.func @noted(%best : memref<?xi32> {llvm.noalias}, %take : memref<?xi8> {llvm.noalias},
                 %c : index, %with : i32) {
  %one = arith.constant 1 : i8
  %zero = arith.constant 0 : i8
  %old = memref.load %best[%c] : memref<?xi32>
  %better = arith.cmpi sgt, %with, %old : i32
  cf.cond_br %better, ^then, ^else
^then:
  memref.store %with, %best[%c] : memref<?xi32>
  memref.store %one, %take[%c] : memref<?xi8>
  cf.br ^join
^else:
  memref.store %zero, %take[%c] : memref<?xi8>
  cf.br ^join
^join:
  func.return
}

// CHECK-LABEL: func.func @noted
// CHECK:         [[T:%.*]] = arith.select %better, %one, %zero : i8
// CHECK-NEXT:    cf.cond_br
// CHECK:         memref.store %with, %best[%c]
// CHECK-NEXT:    cf.br
// CHECK:         memref.store [[T]], %take[%c]
// CHECK-NOT:     memref.store

func.func @may_be_the_same(%best : memref<?xi32>, %take : memref<?xi32>, %c : index, %with : i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %old = memref.load %best[%c] : memref<?xi32>
  %better = arith.cmpi sgt, %with, %old : i32
  cf.cond_br %better, ^then, ^else
^then:
  memref.store %with, %best[%c] : memref<?xi32>
  memref.store %one, %take[%c] : memref<?xi32>
  cf.br ^join
^else:
  memref.store %zero, %take[%c] : memref<?xi32>
  cf.br ^join
^join:
  func.return
}

// CHECK-LABEL: func.func @may_be_the_same
// CHECK-NOT:     arith.select
// CHECK:         cf.cond_br
// CHECK:         memref.store %one, %take[%c]

func.func @loaded_in_between(%best : memref<?xi32> {llvm.noalias}, %take : memref<?xi32> {llvm.noalias},
                             %c : index, %d : index, %with : i32) {
  %zero = arith.constant 0 : i32
  %old = memref.load %best[%c] : memref<?xi32>
  %better = arith.cmpi sgt, %with, %old : i32
  cf.cond_br %better, ^then, ^else
^then:
  memref.store %zero, %take[%c] : memref<?xi32>
  %far = memref.load %take[%d] : memref<?xi32>
  memref.store %far, %best[%c] : memref<?xi32>
  cf.br ^join
^else:
  memref.store %with, %take[%c] : memref<?xi32>
  cf.br ^join
^join:
  func.return
}

// CHECK-LABEL: func.func @loaded_in_between
// CHECK-NOT:     arith.select
// CHECK:         cf.cond_br

// What is loaded behind a store may be what was stored: the value stays there.
func.func @loaded_behind_a_store(%p : memref<?xi32>, %q : memref<?xi32>,
                                 %take : memref<?xi32> {llvm.noalias}, %c : index, %with : i32) {
  %zero = arith.constant 0 : i32
  %old = memref.load %q[%c] : memref<?xi32>
  %better = arith.cmpi sgt, %with, %old : i32
  cf.cond_br %better, ^then, ^else
^then:
  memref.store %with, %p[%c] : memref<?xi32>
  %again = memref.load %q[%c] : memref<?xi32>
  memref.store %again, %take[%c] : memref<?xi32>
  cf.br ^join
^else:
  memref.store %zero, %take[%c] : memref<?xi32>
  cf.br ^join
^join:
  func.return
}

// CHECK-LABEL: func.func @loaded_behind_a_store
// CHECK:         cf.cond_br
// CHECK:         memref.store %with, %p[%c]
// CHECK-NEXT:    %again = memref.load %q[%c]
// CHECK-NEXT:    memref.store %again, %take[%c]

// Two places, in another order by either way, with what the second one gets computed in between.
func.func @two_places(%u : memref<?xf32> {llvm.noalias}, %v : memref<?xf32> {llvm.noalias},
                      %c : index, %a : f32, %d : f32) {
  %zero = arith.constant 0.0 : f32
  %none = arith.cmpf olt, %d, %a : f32
  cf.cond_br %none, ^then, ^else
^then:
  memref.store %zero, %v[%c] : memref<?xf32>
  memref.store %zero, %u[%c] : memref<?xf32>
  cf.br ^join
^else:
  %x = arith.divf %a, %d : f32
  memref.store %x, %u[%c] : memref<?xf32>
  %y = arith.addf %a, %d : f32
  memref.store %y, %v[%c] : memref<?xf32>
  cf.br ^join
^join:
  func.return
}

// CHECK-LABEL: func.func @two_places
// CHECK-DAG:     [[X:%.*]] = arith.select %none, %zero, %x : f32
// CHECK-DAG:     [[Y:%.*]] = arith.select %none, %zero, %y : f32
// CHECK-NOT:     cf.cond_br
// CHECK-DAG:     memref.store [[X]], %u[%c]
// CHECK-DAG:     memref.store [[Y]], %v[%c]
// CHECK-NOT:     memref.store

// A store in front of one that stays, and may be to the same place, stays in front of it.
func.func @before_one_that_stays(%p : memref<?xf32>, %q : memref<?xf32>, %c : index, %e : index,
                                 %a : f32, %d : f32) {
  %none = arith.cmpf olt, %d, %a : f32
  cf.cond_br %none, ^then, ^else
^then:
  memref.store %a, %p[%c] : memref<?xf32>
  memref.store %d, %q[%e] : memref<?xf32>
  %x = memref.load %q[%c] : memref<?xf32>
  memref.store %x, %q[%c] : memref<?xf32>
  cf.br ^join
^else:
  memref.store %d, %p[%c] : memref<?xf32>
  cf.br ^join
^join:
  func.return
}

// CHECK-LABEL: func.func @before_one_that_stays
// CHECK-NOT:     arith.select
// CHECK:         cf.cond_br
// CHECK:         memref.store %a, %p[%c]
// CHECK-NEXT:    memref.store %d, %q[%e]
