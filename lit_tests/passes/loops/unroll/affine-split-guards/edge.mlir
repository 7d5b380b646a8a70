// At the edges: loops of no and of one iteration, a test that always holds, a step of three, a test
// of the loop around, and one that holds in a single iteration.
// RUN: polyopt-opt %s -p 'affine-split-guards' | filecheck %s

// No iteration: no loop.
func.func @empty(%A : memref<?xindex>) {
  affine.for %i = 5 to 5 {
    "affine.if"(%i) ({
      affine.store %i, %A[%i] : memref<?xindex>
      affine.yield
    }, {}) {condition = affine_set<(d0) : (d0 - 6 >= 0)>} : (index) -> ()
  }
  func.return
}

// CHECK-LABEL: func.func @empty(
// CHECK-NEXT:    func.return

// The only iteration is 0, where the test does not hold.
func.func @one(%A : memref<?xindex>) {
  affine.for %i = 0 to 1 {
    "affine.if"(%i) ({
      affine.store %i, %A[%i] : memref<?xindex>
      affine.yield
    }, {}) {condition = affine_set<(d0) : (d0 - 1 >= 0)>} : (index) -> ()
  }
  func.return
}

// CHECK-LABEL: func.func @one(
// CHECK-NEXT:    func.return

// Every iteration is in the one piece that is left.
func.func @always(%A : memref<?xindex>, %n : index) {
  affine.for %i = 0 to %n {
    "affine.if"(%i) ({
      affine.store %i, %A[%i] : memref<?xindex>
      affine.yield
    }, {}) {condition = affine_set<(d0) : (d0 >= 0)>} : (index) -> ()
  }
  func.return
}

// CHECK-LABEL: func.func @always(
// CHECK-NEXT:    affine.for %i = 0 to affine_map<(d0) -> (d0)>(%n) {
// CHECK-NEXT:      affine.store %i, %A[%i] : memref<?xindex>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// The first multiple of three from 4 on: 6.
func.func @by_threes(%A : memref<?xindex>, %n : index) {
  affine.for %i = 0 to %n step 3 {
    "affine.if"(%i) ({
      affine.store %i, %A[%i] : memref<?xindex>
      affine.yield
    }, {}) {condition = affine_set<(d0) : (d0 - 4 >= 0)>} : (index) -> ()
  }
  func.return
}

// CHECK-LABEL: func.func @by_threes(
// CHECK-NEXT:    [[V0:%\d+]] = arith.constant 4 : index
// CHECK-NEXT:    [[V1:%\d+]] = affine.apply affine_map<(d0) -> (((d0 ceildiv 3) * 3))> ([[V0]])
// CHECK-NEXT:    affine.for %i = max affine_map<(d0) -> (0, d0)>([[V1]]) to affine_map<(d0) -> (d0)>(%n) step 3 {
// CHECK-NEXT:      affine.store %i, %A[%i] : memref<?xindex>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// The inner loop is not cut: the test is the same in all of its iterations, and stands around it.
func.func @inner_only(%A : memref<?x?xindex>, %n : index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      "affine.if"(%i) ({
        affine.store %i, %A[%i, %j] : memref<?x?xindex>
        affine.yield
      }, {}) {condition = affine_set<(d0) : (d0 - 1 >= 0)>} : (index) -> ()
    }
  }
  func.return
}

// CHECK-LABEL: func.func @inner_only(
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      "affine.if"(%i) <{condition = affine_set<(d0) : ((d0 + -1) >= 0)>}> ({
// CHECK-NEXT:        affine.for %j = 0 to affine_map<(d0) -> (d0)>(%n) {
// CHECK-NEXT:          affine.store %i, %A[%i, %j] : memref<?x?xindex>
// CHECK-NEXT:        }
// CHECK-NEXT:        affine.yield
// CHECK-NEXT:      }, {
// CHECK-NEXT:        affine.yield
// CHECK-NEXT:      }) : (index) -> ()
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// One iteration at most, k, if the loop has it.
func.func @equal(%A : memref<?xindex>, %n : index, %k : index) {
  affine.for %i = 0 to %n {
    "affine.if"(%i, %k) ({
      affine.store %i, %A[%i] : memref<?xindex>
      affine.yield
    }, {}) {condition = affine_set<(d0)[s0] : (d0 - s0 == 0)>} : (index, index) -> ()
  }
  func.return
}

// CHECK-LABEL: func.func @equal(
// CHECK-NEXT:    affine.for %i = max affine_map<(d0) -> (0, d0)>(%k) to min affine_map<(d0, d1) -> (d0, (d1 + 1))>(%n, %k) {
// CHECK-NEXT:      affine.store %i, %A[%i] : memref<?xindex>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
