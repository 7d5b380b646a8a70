// At the edges: no iteration, one, a step, elements from the last to the first, no loop at all, a
// call.
// RUN: polyopt-opt %s -p 'affine-to-poly{assume-distinct=true}' | filecheck %s

func.func private @value() -> (f64)

// A domain without points.
func.func @empty(%A : memref<?xf64>, %x : f64) {
  affine.for %i = 4 to 4 {
    affine.store %x, %A[%i] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: @empty(
// CHECK-NEXT:    poly.scop "empty" params() [] arrays(%A : memref<?xf64>) ["A"] context <"{  :  }"> schedule <"{ domain: \22{  }\22, child: { schedule: \22[{ S[i] -> [(i)] }]\22 } }"> {
// CHECK-NEXT:      poly.stmt "S" domain <"{ S[i] : false }"> iterators ["i"] {
// CHECK-NEXT:      ^bb0(%i: index):
// CHECK-NEXT:        poly.write %x, %A <"{ S[i] -> A[i] }"> : memref<?xf64>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

func.func @one(%A : memref<?xf64>, %x : f64) {
  affine.for %i = 4 to 5 {
    affine.store %x, %A[%i] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: @one(
// CHECK-NEXT:    poly.scop "one" params() [] arrays(%A : memref<?xf64>) ["A"] context <"{  :  }"> schedule <"{ domain: \22{ S[i = 4] }\22, child: { schedule: \22[{ S[i] -> [(i)] }]\22 } }"> {
// CHECK-NEXT:      poly.stmt "S" domain <"{ S[i = 4] }"> iterators ["i"] {
// CHECK-NEXT:      ^bb0(%i: index):
// CHECK-NEXT:        poly.write %x, %A <"{ S[i] -> A[i] }"> : memref<?xf64>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// The iterator keeps its values: the domain has every third.
func.func @by_threes(%A : memref<?xf64>, %n : index, %x : f64) {
  affine.for %i = 1 to %n step 3 {
    affine.store %x, %A[%i] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: @by_threes(
// CHECK-NEXT:    poly.scop "by_threes" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"] context <"[n] -> {  :  }"> schedule <"{ domain: \22[n] -> { S[i] : (-1 + i) mod 3 = 0 and 0 < i < n }\22, child: { schedule: \22[{ S[i] -> [(i)] }]\22 } }"> {
// CHECK-NEXT:      poly.stmt "S" domain <"[n] -> { S[i] : (-1 + i) mod 3 = 0 and 0 < i < n }"> iterators ["i"] {
// CHECK-NEXT:      ^bb0(%i: index):
// CHECK-NEXT:        poly.write %x, %A <"[n] -> { S[i] -> A[i] }"> : memref<?xf64>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

func.func @down(%A : memref<?xf64>, %n : index, %x : f64) {
  affine.for %i = 0 to %n {
    affine.store %x, %A[%n - 1 - %i] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: @down(
// CHECK-NEXT:    poly.scop "down" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"] context <"[n] -> {  :  }"> schedule <"{ domain: \22[n] -> { S[i] : 0 <= i < n }\22, child: { schedule: \22[{ S[i] -> [(i)] }]\22 } }"> {
// CHECK-NEXT:      poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> iterators ["i"] {
// CHECK-NEXT:      ^bb0(%i: index):
// CHECK-NEXT:        poly.write %x, %A <"[n] -> { S[i] -> A[-1 + n - i] }"> : memref<?xf64>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

func.func @no_loop(%A : memref<?xf64>, %x : f64) {
  affine.store %x, %A[0] : memref<?xf64>
  func.return
}

// CHECK-LABEL: @no_loop(
// CHECK-NEXT:    affine.store %x, %A[0] : memref<?xf64>
// CHECK-NEXT:    func.return

// What a call does is not known.
func.func @called(%A : memref<?xf64>, %n : index) {
  affine.for %i = 0 to %n {
    %x = func.call @value() : () -> (f64)
    affine.store %x, %A[%i] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: @called(
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      %x = func.call @value() : () -> f64
// CHECK-NEXT:      affine.store %x, %A[%i] : memref<?xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
