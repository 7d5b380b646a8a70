// An arm names the element that was compared by loading its place once more: the place is taken from
// in front of the branch, and the element is the one that is known; behind a store it is not.
// RUN: polyopt-opt %s -p if-convert | filecheck %s

func.func @greater(%wt : memref<?xi32>, %dp : memref<?xi32>, %i : index, %j : index) {
  %w = memref.load %wt[%i] : memref<?xi32>
  %at = arith.index_cast %w : i32 to index
  %a = memref.load %dp[%at] : memref<?xi32>
  %b = memref.load %dp[%j] : memref<?xi32>
  %c = arith.cmpi sgt, %a, %b : i32
  cf.cond_br %c, ^then, ^else
^then:
  %v = memref.load %wt[%i] : memref<?xi32>
  %again = arith.index_cast %v : i32 to index
  %x = memref.load %dp[%again] : memref<?xi32>
  cf.br ^join(%x : i32)
^else:
  cf.br ^join(%b : i32)
^join(%m : i32):
  memref.store %m, %dp[%j] : memref<?xi32>
  func.return
}

// CHECK-LABEL: func.func @greater
// CHECK:         [[A:%.*]] = memref.load %dp[%at]
// CHECK-NEXT:    [[B:%.*]] = memref.load %dp[%j]
// CHECK-NEXT:    [[C:%.*]] = arith.cmpi sgt, [[A]], [[B]]
// CHECK-NEXT:    [[M:%.*]] = arith.select [[C]], [[A]], [[B]]
// CHECK-NEXT:    memref.store [[M]], %dp[%j]

func.func @stored_between(%wt : memref<?xi32>, %dp : memref<?xi32>, %i : index, %j : index) {
  %w = memref.load %wt[%i] : memref<?xi32>
  %at = arith.index_cast %w : i32 to index
  %a = memref.load %dp[%at] : memref<?xi32>
  %b = memref.load %dp[%j] : memref<?xi32>
  %c = arith.cmpi sgt, %a, %b : i32
  memref.store %a, %dp[%i] : memref<?xi32>
  cf.cond_br %c, ^then, ^else
^then:
  %v = memref.load %wt[%i] : memref<?xi32>
  %again = arith.index_cast %v : i32 to index
  %x = memref.load %dp[%again] : memref<?xi32>
  cf.br ^join(%x : i32)
^else:
  cf.br ^join(%b : i32)
^join(%m : i32):
  memref.store %m, %dp[%j] : memref<?xi32>
  func.return
}

// CHECK-LABEL: func.func @stored_between
// CHECK:         cf.cond_br
// CHECK:         memref.load %wt[%i]
// CHECK:         memref.load %dp[

func.func @stored_in_the_arm(%wt : memref<?xi32>, %dp : memref<?xi32>, %i : index, %j : index) {
  %w = memref.load %wt[%i] : memref<?xi32>
  %b = memref.load %dp[%j] : memref<?xi32>
  %c = arith.cmpi sgt, %w, %b : i32
  cf.cond_br %c, ^then, ^else
^then:
  memref.store %b, %wt[%j] : memref<?xi32>
  %v = memref.load %wt[%i] : memref<?xi32>
  cf.br ^join(%v : i32)
^else:
  cf.br ^join(%b : i32)
^join(%m : i32):
  memref.store %m, %dp[%j] : memref<?xi32>
  func.return
}

// CHECK-LABEL: func.func @stored_in_the_arm
// CHECK:         memref.store {{.*}}, %wt[%j]
// CHECK-NEXT:    memref.load %wt[%i]
