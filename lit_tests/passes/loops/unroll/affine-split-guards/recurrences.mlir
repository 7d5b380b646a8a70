// for (i) for (j) if (i == 0) A[0][j] = 0; else A[i][j] = A[i][j - 1] + A[i - 1][j];
// The first iteration stands apart from the recurrences of the others, and a test in the innermost
// loop stays.
// RUN: polyopt-opt %s -p "affine-split-guards{recurrences=true}" | filecheck %s

func.func @table(%A : memref<9x9xindex>, %n : index, %zero : index) {
  affine.for %i = 0 to %n {
    "affine.if"(%i) ({
      affine.for %j = 1 to 9 {
        %x = affine.load %A[%i, %j - 1] : memref<9x9xindex>
        %y = affine.load %A[%i - 1, %j] : memref<9x9xindex>
        %s = arith.addi %x, %y : index
        affine.store %s, %A[%i, %j] : memref<9x9xindex>
      } {poly.loop = #poly.loop<serial>}
      "affine.yield"() : () -> ()
    }, {
      affine.for %k = 0 to 9 {
        affine.store %zero, %A[%i, %k] : memref<9x9xindex>
      } {poly.loop = #poly.loop<parallel>}
      "affine.yield"() : () -> ()
    }) {condition = affine_set<(d0) : (d0 - 1 >= 0)>} : (index) -> ()
  } {poly.loop = #poly.loop<serial>}
  func.return
}

// CHECK-LABEL: func.func @table
// CHECK-NEXT:    affine.for {{.*}} = 0 to min affine_map<(d0) -> (d0, 1)>(%n) {
// CHECK-NEXT:      affine.for
// CHECK-NEXT:        affine.store %zero
// CHECK-NOT:     affine.if
// CHECK:         affine.for {{.*}} = 1 to {{.*}} {
// CHECK-NEXT:      affine.for
// CHECK-NEXT:        affine.load

// Rows that do not wait for themselves need no lanes.
func.func @rows(%A : memref<9x9xindex>, %n : index, %zero : index) {
  affine.for %i = 0 to %n {
    "affine.if"(%i) ({
      affine.for %j = 1 to 9 {
        affine.store %zero, %A[%i, %j] : memref<9x9xindex>
      } {poly.loop = #poly.loop<parallel>}
      "affine.yield"() : () -> ()
    }, {}) {condition = affine_set<(d0) : (d0 - 1 >= 0)>} : (index) -> ()
  }
  func.return
}

// CHECK-LABEL: func.func @rows
// CHECK:         affine.if

func.func @innermost(%A : memref<?xindex>, %n : index) {
  affine.for %i = 0 to %n {
    "affine.if"(%i) ({
      affine.store %i, %A[%i] : memref<?xindex>
      "affine.yield"() : () -> ()
    }, {}) {condition = affine_set<(d0) : (d0 - 1 >= 0)>} : (index) -> ()
  }
  func.return
}

// CHECK-LABEL: func.func @innermost
// CHECK:         affine.if

// What only the loops around know is asked in front of a loop around recurrences; what that loop
// knows, and a test of what stands around no recurrence, stays.
// CHECK-LABEL: func.func @outside
// CHECK-NEXT:    affine.for [[K:%\w+]] = 0 to 3 {
// CHECK-NEXT:      "affine.if"([[K]])
// CHECK-NEXT:        affine.for
// CHECK-NEXT:          affine.store %zero
// CHECK-NEXT:          affine.for
// CHECK:               "affine.if"
// CHECK:             affine.for {{.*}} = 0 to %n {
// CHECK-NEXT:          affine.store %zero
// CHECK-NEXT:          "affine.if"
func.func @outside(%A : memref<9x9xindex>, %B : memref<9xindex>, %n : index, %zero : index) {
  affine.for %k = 0 to 3 {
    affine.for %i = 0 to %n {
      affine.store %zero, %A[%i, 0] : memref<9x9xindex>
      "affine.if"(%k) ({
        affine.for %j = 1 to 9 {
          %x = affine.load %A[%i, %j - 1] : memref<9x9xindex>
          affine.store %x, %A[%i, %j] : memref<9x9xindex>
        } {poly.loop = #poly.loop<serial>}
        "affine.yield"() : () -> ()
      }, {}) {condition = affine_set<(d0) : (1 - d0 >= 0)>} : (index) -> ()
      "affine.if"(%k) ({
        affine.store %zero, %B[%i] : memref<9xindex>
        "affine.yield"() : () -> ()
      }, {}) {condition = affine_set<(d0) : (d0 - 2 >= 0)>} : (index) -> ()
    }
  }
  func.return
}

// Rows of two nests, of which the one ends sooner, are straight code on either side of the test.
// CHECK-LABEL: func.func @rows_of_two
// CHECK-NEXT:    affine.for [[I:%\w+]] = 0 to 8 {
// CHECK-NEXT:      "affine.if"([[I]])
// CHECK-NEXT:        affine.for
// CHECK-NEXT:          affine.store %zero, %A
// CHECK-NEXT:          affine.store %zero, %B
// CHECK:             }, {
// CHECK-NEXT:        affine.for
// CHECK-NEXT:          affine.store %zero, %A
// CHECK-NEXT:        }
func.func @rows_of_two(%A : memref<9x9xindex>, %B : memref<9x9xindex>, %n : index, %zero : index) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to %n {
      affine.store %zero, %A[%i, %j] : memref<9x9xindex>
      "affine.if"(%i) ({
        affine.store %zero, %B[%i, %j] : memref<9x9xindex>
        "affine.yield"() : () -> ()
      }, {}) {condition = affine_set<(d0) : (6 - d0 >= 0)>} : (index) -> ()
    } {poly.loop = #poly.loop<parallel>}
  }
  func.return
}
