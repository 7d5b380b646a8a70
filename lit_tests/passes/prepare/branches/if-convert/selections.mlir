// RUN: polyopt-opt %s -p if-convert | filecheck %s

// max = a < b ? b : a, where the arms load again what the condition has loaded: one selection.
func.func @maximum(%A: memref<?xf64>, %i: index, %j: index) -> f64 {
  %a = memref.load %A[%i] : memref<?xf64>
  %b = memref.load %A[%j] : memref<?xf64>
  %less = arith.cmpf olt, %a, %b : f64
  cf.cond_br %less, ^then, ^else
^then:
  %b1 = memref.load %A[%j] : memref<?xf64>
  cf.br ^join(%b1 : f64)
^else:
  %a1 = memref.load %A[%i] : memref<?xf64>
  cf.br ^join(%a1 : f64)
^join(%max: f64):
  func.return %max : f64
}

// CHECK-LABEL: func.func @maximum
// CHECK-NEXT:    %[[A:.*]] = memref.load %A[%i]
// CHECK-NEXT:    %[[B:.*]] = memref.load %A[%j]
// CHECK-NEXT:    %[[LESS:.*]] = arith.cmpf olt, %[[A]], %[[B]]
// CHECK-NEXT:    %[[MAX:.*]] = arith.select %[[LESS]], %[[B]], %[[A]]
// CHECK-NEXT:    func.return %[[MAX]]

// Both arms store one element: the store may run always.
func.func @clamp(%A: memref<?xf64>, %i: index, %limit: f64) {
  %a = memref.load %A[%i] : memref<?xf64>
  %less = arith.cmpf olt, %a, %limit : f64
  cf.cond_br %less, ^then, ^else
^then:
  memref.store %limit, %A[%i] : memref<?xf64>
  cf.br ^join
^else:
  %twice = arith.addf %a, %a : f64
  memref.store %twice, %A[%i] : memref<?xf64>
  cf.br ^join
^join:
  func.return
}

// CHECK-LABEL: func.func @clamp
// CHECK:         %[[TWICE:.*]] = arith.addf
// CHECK-NEXT:    %[[VALUE:.*]] = arith.select %{{.*}}, %limit, %[[TWICE]]
// CHECK-NEXT:    memref.store %[[VALUE]], %A[%i]
// CHECK-NEXT:    func.return

// A local variable that nobody else sees may be stored again where C leaves it alone.
func.func @running_maximum(%a: f64) -> f64 {
  %max = memref.alloca() : memref<f64>
  %old = memref.load %max[] : memref<f64>
  %more = arith.cmpf ogt, %a, %old : f64
  cf.cond_br %more, ^then, ^join
^then:
  memref.store %a, %max[] : memref<f64>
  cf.br ^join
^join:
  %new = memref.load %max[] : memref<f64>
  func.return %new : f64
}

// CHECK-LABEL: func.func @running_maximum
// CHECK:         %[[OLD:.*]] = memref.load %max[]
// CHECK:         %[[VALUE:.*]] = arith.select %{{.*}}, %a, %[[OLD]]
// CHECK-NEXT:    memref.store %[[VALUE]], %max[]
// CHECK-NOT:     cf.cond_br
