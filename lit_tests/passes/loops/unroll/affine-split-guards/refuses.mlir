// Tests stay that are no conjunction of linear conditions, that ask for what the loop loads, or whose result
// is used; so do those of a loop that carries values.
// RUN: polyopt-opt %s -p 'affine-split-guards' | filecheck %s

// Every second iteration.
func.func @parity(%A : memref<?xindex>, %n : index) {
  affine.for %i = 0 to %n {
    "affine.if"(%i) ({
      affine.store %i, %A[%i] : memref<?xindex>
      affine.yield
    }, {}) {condition = affine_set<(d0) : (d0 mod 2 == 0)>} : (index) -> ()
  }
  func.return
}

// CHECK-LABEL: func.func @parity(
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      "affine.if"(%i) <{condition = affine_set<(d0) : ((d0 mod 2) == 0)>}> ({
// CHECK-NEXT:        affine.store %i, %A[%i] : memref<?xindex>
// CHECK-NEXT:        affine.yield
// CHECK-NEXT:      }, {
// CHECK-NEXT:      }) : (index) -> ()
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// The bound of the test is another one in each iteration.
func.func @loaded(%A : memref<?xindex>, %n : index) {
  affine.for %i = 0 to %n {
    %k = affine.load %A[%i] : memref<?xindex>
    "affine.if"(%i, %k) ({
      affine.store %i, %A[%i] : memref<?xindex>
      affine.yield
    }, {}) {condition = affine_set<(d0)[s0] : (d0 - s0 >= 0)>} : (index, index) -> ()
  }
  func.return
}

// CHECK-LABEL: func.func @loaded(
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      %k = affine.load %A[%i] : memref<?xindex>
// CHECK-NEXT:      "affine.if"(%i, %k) <{condition = affine_set<(d0)[s0] : ((d0 + (s0 * -1)) >= 0)>}> ({
// CHECK-NEXT:        affine.store %i, %A[%i] : memref<?xindex>
// CHECK-NEXT:        affine.yield
// CHECK-NEXT:      }, {
// CHECK-NEXT:      }) : (index, index) -> ()
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// The result of the test is used.
func.func @chosen(%A : memref<?xindex>, %n : index) {
  affine.for %i = 0 to %n {
    %x = "affine.if"(%i) ({
      affine.yield %i : index
    }, {
      affine.yield %n : index
    }) {condition = affine_set<(d0) : (d0 - 1 >= 0)>} : (index) -> index
    affine.store %x, %A[%i] : memref<?xindex>
  }
  func.return
}

// CHECK-LABEL: func.func @chosen(
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      %x = "affine.if"(%i) <{condition = affine_set<(d0) : ((d0 + -1) >= 0)>}> ({
// CHECK-NEXT:        affine.yield %i : index
// CHECK-NEXT:      }, {
// CHECK-NEXT:        affine.yield %n : index
// CHECK-NEXT:      }) : (index) -> index
// CHECK-NEXT:      affine.store %x, %A[%i] : memref<?xindex>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

func.func @carries(%A : memref<?xindex>, %n : index, %z : index) -> index {
  %r = affine.for %i = 0 to %n iter_args(%s = %z) -> (index) {
    "affine.if"(%i) ({
      affine.store %s, %A[%i] : memref<?xindex>
      affine.yield
    }, {}) {condition = affine_set<(d0) : (d0 - 1 >= 0)>} : (index) -> ()
    %t = arith.addi %s, %i : index
    affine.yield %t : index
  }
  func.return %r : index
}

// CHECK-LABEL: func.func @carries(
// CHECK-NEXT:    %r = affine.for %i = 0 to %n iter_args(%s = %z) -> (index) {
// CHECK-NEXT:      "affine.if"(%i) <{condition = affine_set<(d0) : ((d0 + -1) >= 0)>}> ({
// CHECK-NEXT:        affine.store %s, %A[%i] : memref<?xindex>
// CHECK-NEXT:        affine.yield
// CHECK-NEXT:      }, {
// CHECK-NEXT:      }) : (index) -> ()
// CHECK-NEXT:      %t = arith.addi %s, %i : index
// CHECK-NEXT:      affine.yield %t : index
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : index
