// At the edges: an iterator as a number of 32 bits, bounds that are equal, a step that is not
// known, an array without dimensions, a bound that is loaded.
// RUN: polyopt-opt %s -p 'raise-to-affine' | filecheck %s

// The subscript is computed of a number of 32 bits.
// A sum of 32 bits may wrap: the loop is affine, the subscript is not.
func.func @beside_i32(%A : memref<?xf64>, %n : i32, %x : f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %m step %c1 {
    %k = arith.index_cast %i : index to i32
    %l = arith.addi %k, %n : i32
    %j = arith.index_cast %l : i32 to index
    memref.store %x, %A[%j] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @beside_i32(
// CHECK-NEXT:    %m = arith.index_cast %n : i32 to index
// CHECK-NEXT:    affine.for %i = 0 to %m {
// CHECK-NEXT:      %k = arith.index_cast %i : index to i32
// CHECK-NEXT:      %l = arith.addi %k, %n : i32
// CHECK-NEXT:      %j = arith.index_cast %l : i32 to index
// CHECK-NEXT:      memref.store %x, %A[%j] : memref<?xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

func.func @empty(%A : memref<?xf64>, %x : f64) {
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c3 to %c3 step %c1 {
    memref.store %x, %A[%i] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @empty(
// CHECK-NEXT:    affine.for %i = 3 to 3 {
// CHECK-NEXT:      affine.store %x, %A[%i] : memref<?xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// A step that is not known may be negative or zero.
func.func @unknown_step(%A : memref<?xf64>, %n : index, %s : index, %x : f64) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %s {
    memref.store %x, %A[%i] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @unknown_step(
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    scf.for %i = %c0 to %n step %s {
// CHECK-NEXT:      memref.store %x, %A[%i] : memref<?xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

func.func @scalar(%A : memref<f64>, %n : index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c2 {
    %x = memref.load %A[] : memref<f64>
    %y = arith.addf %x, %x : f64
    memref.store %y, %A[] : memref<f64>
  }
  func.return
}

// CHECK-LABEL: func.func @scalar(
// CHECK-NEXT:    affine.for %i = 0 to %n step 2 {
// CHECK-NEXT:      %x = affine.load %A[] : memref<f64>
// CHECK-NEXT:      %y = arith.addf %x, %x : f64
// CHECK-NEXT:      affine.store %y, %A[] : memref<f64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// An end that is loaded outside of the inner loop is a symbol of it.
func.func @inner_only(%A : memref<?xf64>, %P : memref<?xindex>, %n : index, %x : f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %end = memref.load %P[%i] : memref<?xindex>
    scf.for %j = %c0 to %end step %c1 {
      memref.store %x, %A[%j] : memref<?xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @inner_only(
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      %end = affine.load %P[%i] : memref<?xindex>
// CHECK-NEXT:      affine.for %j = 0 to %end {
// CHECK-NEXT:        affine.store %x, %A[%j] : memref<?xf64>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
