// Elements that lie in turns and are changed in place: taken apart and put together in registers.
//
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"},affine-peel-masks{march="x86-64-v4"},share-transfers,lower-transfers' | filecheck %s

func.func @all_of_two(%n : index, %x : f64, %A : memref<?xf64>) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i * 2] : memref<?xf64>
    %b = affine.load %A[%i * 2 + 1] : memref<?xf64>
    %c = arith.mulf %a, %x : f64
    %d = arith.subf %b, %c : f64
    affine.store %c, %A[%i * 2] : memref<?xf64>
    affine.store %d, %A[%i * 2 + 1] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// Two vectors are loaded, and as many stored.
// CHECK-LABEL: func.func @all_of_two
// CHECK:         [[V:%.*]] = affine.vector_load %A[{{.*}}] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:    [[W:%.*]] = affine.vector_load %A[{{.*}} + 8] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:    [[A:%.*]] = vector.shuffle [[V]], [[W]] [0, 2, 4, 6, 8, 10, 12, 14]
// CHECK-NEXT:    [[B:%.*]] = vector.shuffle [[V]], [[W]] [1, 3, 5, 7, 9, 11, 13, 15]
// CHECK:         [[C:%.*]] = arith.mulf [[A]],
// CHECK-NEXT:    [[D:%.*]] = arith.subf [[B]], [[C]]
// CHECK-NEXT:    [[X:%.*]] = vector.shuffle [[C]], [[D]] [0, 8, 1, 9, 2, 10, 3, 11]
// CHECK-NEXT:    [[Y:%.*]] = vector.shuffle [[C]], [[D]] [4, 12, 5, 13, 6, 14, 7, 15]
// CHECK-NEXT:    affine.vector_store [[X]], %A
// CHECK-NEXT:    affine.vector_store [[Y]], %A[{{.*}} + 8]

func.func @what_was_stored_is_read(%n : index, %x : f64, %A : memref<?xf64>) {
  affine.for %i = 0 to %n {
    %v = affine.load %A[%i * 4 + 2] : memref<?xf64>
    %w = arith.addf %v, %x : f64
    affine.store %w, %A[%i * 4 + 2] : memref<?xf64>
    %p = affine.load %A[%i * 4] : memref<?xf64>
    %u = affine.load %A[%i * 4 + 2] : memref<?xf64>
    %q = arith.addf %p, %u : f64
    affine.store %q, %A[%i * 4] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// The sum takes what was added, not what was loaded; elements 1 and 3 of 4 are left as they are.
// CHECK-LABEL: func.func @what_was_stored_is_read
// CHECK:         [[W:%.*]] = arith.addf {{%.*}}, {{%.*}} : vector<8xf64>
// CHECK:         arith.addf {{%.*}}, [[W]] : vector<8xf64>
// CHECK:         [[MASK:%.*]] = arith.constant dense<[true, false, true, false, true, false, true, false]> : vector<8xi1>
// CHECK:         vector.maskedstore %A{{.*}}, [[MASK]],

func.func @one_of_two(%n : index, %x : f64, %A : memref<?xf64>) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i * 2] : memref<?xf64>
    %b = affine.load %A[%i * 2 + 1] : memref<?xf64>
    %c = arith.mulf %a, %b : f64
    affine.store %c, %A[%i * 2] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// One store alone is no group: LLVM decides.
// CHECK-LABEL: func.func @one_of_two
// CHECK:         arith.constant dense<[true, false, true, false, true, false, true, false]> : vector<8xi1>
// CHECK:         vector.maskedstore

func.func @stored_twice(%n : index, %x : f64, %A : memref<?xf64>) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i * 2] : memref<?xf64>
    affine.store %x, %A[%i * 2] : memref<?xf64>
    affine.store %a, %A[%i * 2 + 1] : memref<?xf64>
    affine.store %a, %A[%i * 2] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @stored_twice
// CHECK-NOT:     vector<
