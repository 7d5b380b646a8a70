// What lies between two vectors of a row is put together of them, and the last one is carried on.
// RUN: polyopt-opt %s -p 'carry-reads{march=x86-64-v4}' | filecheck %s

// In front of the first step lie the two elements that it reads there, and no more.
func.func @three(%A : memref<?x?xf64>, %B : memref<?x?xf64>, %i : index, %n : index) {
  %a, %b = cmem.distinct_objects %A, %B : memref<?x?xf64>, memref<?x?xf64> -> memref<?x?xf64>, memref<?x?xf64>
  affine.for %v = 1 to %n step 8 {
    %x = pvec.read %a[%i, %v + -1] : memref<?x?xf64>, vector<8xf64>
    %y = pvec.read %a[%i, %v] : memref<?x?xf64>, vector<8xf64>
    %z = pvec.read %a[%i, %v + 1] : memref<?x?xf64>, vector<8xf64>
    %s = arith.addf %x, %y : vector<8xf64>
    %t = arith.addf %s, %z : vector<8xf64>
    pvec.write %t, %b[%i, %v] : memref<?x?xf64>, vector<8xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @three
// CHECK:         [[SIX:%.*]] = arith.constant 6 : index
// CHECK-NEXT:    [[END:%.*]] = affine.apply affine_map<(d0) -> (((d0 * 8) + -8))> (%n)
// CHECK-NEXT:    [[MASK:%.*]] = pvec.range_mask [[SIX]] to [[END]] : vector<8xi1>
// CHECK-NEXT:    [[OLD:%.*]] = pvec.read %a[%i, -6] masked [[MASK]]
// CHECK-NEXT:    affine.for %v = 1 to %n step 8 iter_args([[P:%.*]] = [[OLD]]) -> (vector<8xf64>) {
// CHECK-NEXT:      %z = pvec.read %a[%i, %v + 1] : memref<?x?xf64>, vector<8xf64>
// CHECK-NEXT:      %x = vector.shuffle %z, [[P]] [14, 15, 0, 1, 2, 3, 4, 5]
// CHECK-NEXT:      %y = vector.shuffle %z, [[P]] [15, 0, 1, 2, 3, 4, 5, 6]
// CHECK-NEXT:      %s = arith.addf %x, %y
// CHECK-NEXT:      %t = arith.addf %s, %z
// CHECK-NEXT:      pvec.write %t, %b[%i, %v]
// CHECK-NEXT:      affine.yield %z

// A step of two vectors reads two, and carries the last one; the number of steps is known.
func.func @two_vectors(%A : memref<?xf64>, %B : memref<?xf64>) {
  %a, %b = cmem.distinct_objects %A, %B : memref<?xf64>, memref<?xf64> -> memref<?xf64>, memref<?xf64>
  affine.for %v = 0 to 1600 step 16 {
    %w = pvec.read %a[%v + 1] : memref<?xf64>, vector<8xf64>
    %x = pvec.read %a[%v + 3] : memref<?xf64>, vector<8xf64>
    %y = pvec.read %a[%v + 9] : memref<?xf64>, vector<8xf64>
    %z = pvec.read %a[%v + 11] : memref<?xf64>, vector<8xf64>
    %s = arith.addf %w, %x : vector<8xf64>
    %t = arith.addf %y, %z : vector<8xf64>
    pvec.write %s, %b[%v] : memref<?xf64>, vector<8xf64>
    pvec.write %t, %b[%v + 8] : memref<?xf64>, vector<8xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @two_vectors
// CHECK:         pvec.read %a[-5] masked
// CHECK-NEXT:    affine.for %v = 0 to 1600 step 16 iter_args(
// CHECK-NEXT:      pvec.read %a[%v + 11]
// CHECK-NEXT:      pvec.read %a[%v + 3]
// CHECK-NOT:       pvec.read
// CHECK-COUNT-2:   vector.shuffle
// CHECK:           affine.yield
