// A variable that each iteration stores before all its loads, in other blocks of the loop too, needs
// no memory; one whose value lasts to the next iteration keeps it.
// RUN: polyopt-opt %s -p promote-scalars | filecheck %s

func.func @in_an_arm(%A: memref<?xf64>, %n: index, %limit: f64) {
  %x = memref.alloca() : memref<f64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^out
^body:
  %a = memref.load %A[%i] : memref<?xf64>
  memref.store %a, %x[] : memref<f64>
  %less = arith.cmpf olt, %a, %limit : f64
  cf.cond_br %less, ^then, ^next
^then:
  %v = memref.load %x[] : memref<f64>
  %w = arith.mulf %v, %v : f64
  memref.store %w, %A[%i] : memref<?xf64>
  cf.br ^next
^next:
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^out:
  func.return
}

// CHECK-LABEL: func.func @in_an_arm
// CHECK-NOT:     memref.alloca
// CHECK:         arith.mulf %a, %a

func.func @behind_the_loop(%A: memref<?xf64>, %n: index) -> f64 {
  %x = memref.alloca() : memref<f64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^body(%c0 : index)
^body(%i: index):
  %a = memref.load %A[%i] : memref<?xf64>
  memref.store %a, %x[] : memref<f64>
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi slt, %j, %n : index
  cf.cond_br %more, ^body(%j : index), ^out
^out:
  %v = memref.load %x[] : memref<f64>
  func.return %v : f64
}

// CHECK-LABEL: func.func @behind_the_loop
// CHECK:         memref.alloca
