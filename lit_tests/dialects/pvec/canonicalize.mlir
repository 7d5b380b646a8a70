// Masks that are the same in every run: all lanes set, none, or some.
// RUN: polyopt-opt %s -p canonicalize | filecheck %s

func.func @whole(%A : memref<?xf32>, %x : vector<4xf32>, %y : vector<4xf32>, %k : vector<4xi64>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %i = arith.constant 3 : index
  %below = arith.constant -1 : index
  %above = arith.constant 7 : index
  %all = pvec.range_mask %below to %above : vector<4xi1>
  %created = vector.create_mask %above : vector<4xi1>
  %read = pvec.read %A[%i] masked %all : memref<?xf32>, vector<4xf32>
  %near = pvec.read %A[%i] by [2] within [-1, 0] masked %created : memref<?xf32>, vector<4xf32>
  %apart = pvec.strided_load %A[%i] by [7] masked %all : vector<4xi1> : memref<?xf32>, vector<4xf32>
  %found = pvec.gather %A[%k] masked %all : vector<4xi1> : memref<?xf32>, vector<4xi64> -> vector<4xf32>
  %chosen = pvec.select %all, %x, %y : vector<4xi1>, vector<4xf32>
  pvec.write %x, %A[%i] masked %all : memref<?xf32>, vector<4xf32>
  pvec.strided_store %x, %A[%i] by [7] masked %all : vector<4xi1> : memref<?xf32>, vector<4xf32>
  pvec.write %y, %A[%i] masked %all nontemporal : memref<?xf32>, vector<4xf32>
  func.return %read, %near, %apart, %found, %chosen : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// CHECK-LABEL: func.func @whole
// CHECK:         pvec.read %A[%i] : memref<?xf32>, vector<4xf32>
// CHECK-NEXT:    pvec.read %A[%i] by [2] within [-1, 0] : memref<?xf32>, vector<4xf32>
// CHECK-NEXT:    pvec.strided_load %A[%i] by [7] : memref<?xf32>, vector<4xf32>
// CHECK-NEXT:    pvec.gather %A[%k] : memref<?xf32>, vector<4xi64> -> vector<4xf32>
// CHECK-NEXT:    pvec.write %x, %A[%i] : memref<?xf32>, vector<4xf32>
// CHECK-NEXT:    pvec.strided_store %x, %A[%i] by [7] : memref<?xf32>, vector<4xf32>
// Whole, it would have to be aligned.
// CHECK-NEXT:    pvec.write %y, %A[%i] masked %all nontemporal
// CHECK-NEXT:    func.return {{.*}}, %x :

func.func @none(%A : memref<?xf32>, %m : vector<4xi1>, %x : vector<4xf32>, %y : vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %i = arith.constant 3 : index
  %no = arith.constant dense<false> : vector<4xi1>
  pvec.write %x, %A[%i] masked %no : memref<?xf32>, vector<4xf32>
  pvec.strided_store %x, %A[%i] by [7] masked %no : vector<4xi1> : memref<?xf32>, vector<4xf32>
  %chosen = pvec.select %no, %x, %y : vector<4xi1>, vector<4xf32>
  %same = pvec.select %m, %x, %x : vector<4xi1>, vector<4xf32>
  %unknown = pvec.select %m, %x, %y : vector<4xi1>, vector<4xf32>
  func.return %chosen, %same, %unknown : vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// CHECK-LABEL: func.func @none
// CHECK-NOT:     pvec.write
// CHECK-NOT:     pvec.strided_store
// CHECK:         %unknown = pvec.select %m, %x, %y
// CHECK-NEXT:    func.return %y, %x, %unknown

func.func @some(%A : memref<?xf32>, %x : vector<4xf32>) {
  %i = arith.constant 3 : index
  %one = arith.constant 1 : index
  %some = pvec.range_mask %one to %i : vector<4xi1>
  pvec.write %x, %A[%i] masked %some : memref<?xf32>, vector<4xf32>
  func.return
}

// CHECK-LABEL: func.func @some
// CHECK:         [[SOME:%.*]] = arith.constant dense<[false, true, true, false]> : vector<4xi1>
// CHECK-NEXT:    pvec.write %x, %A[%i] masked [[SOME]]
