// Vectors of half a line are not put together of two others, but one that the step before has read as it
// is is carried on.
// RUN: polyopt-opt %s -p 'carry-reads{march=x86-64-v3}' | filecheck %s

// The last vector of one step is the first one of the next; what lies between them is read.
func.func @five(%A : memref<?xf64>, %B : memref<?xf64>, %n : index) {
  %a, %b = cmem.distinct_objects %A, %B : memref<?xf64>, memref<?xf64> -> memref<?xf64>, memref<?xf64>
  affine.for %v = 2 to %n step 4 {
    %x = pvec.read %a[%v + -2] : memref<?xf64>, vector<4xf64>
    %y = pvec.read %a[%v] : memref<?xf64>, vector<4xf64>
    %z = pvec.read %a[%v + 2] : memref<?xf64>, vector<4xf64>
    %s = arith.addf %x, %y : vector<4xf64>
    %t = arith.addf %s, %z : vector<4xf64>
    pvec.write %t, %b[%v] : memref<?xf64>, vector<4xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @five
// CHECK:         [[OLD:%.*]] = pvec.read %a[0] masked
// CHECK-NEXT:    affine.for %v = 2 to %n step 4 iter_args([[P:%.*]] = [[OLD]]) -> (vector<4xf64>) {
// CHECK-NEXT:      %z = pvec.read %a[%v + 2]
// CHECK-NEXT:      %y = pvec.read %a[%v]
// CHECK-NEXT:      arith.addf [[P]], %y
// CHECK-NOT:       vector.shuffle
// CHECK:           affine.yield %z

// No vector is another one's of the step before.
func.func @three(%A : memref<?xf64>, %B : memref<?xf64>, %n : index) {
  %a, %b = cmem.distinct_objects %A, %B : memref<?xf64>, memref<?xf64> -> memref<?xf64>, memref<?xf64>
  affine.for %v = 1 to %n step 4 {
    %x = pvec.read %a[%v + -1] : memref<?xf64>, vector<4xf64>
    %y = pvec.read %a[%v] : memref<?xf64>, vector<4xf64>
    %z = pvec.read %a[%v + 1] : memref<?xf64>, vector<4xf64>
    %s = arith.addf %x, %y : vector<4xf64>
    %t = arith.addf %s, %z : vector<4xf64>
    pvec.write %t, %b[%v] : memref<?xf64>, vector<4xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @three
// CHECK:         affine.for %v = 1 to %n step 4 {
// CHECK-COUNT-3:   pvec.read

// What is written over may be another vector by then.
func.func @written(%A : memref<?xf64>, %n : index) {
  affine.for %v = 2 to %n step 4 {
    %x = pvec.read %A[%v + -2] : memref<?xf64>, vector<4xf64>
    %z = pvec.read %A[%v + 2] : memref<?xf64>, vector<4xf64>
    %s = arith.addf %x, %z : vector<4xf64>
    pvec.write %s, %A[%v] : memref<?xf64>, vector<4xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @written
// CHECK:         affine.for %v = 2 to %n step 4 {
// CHECK-COUNT-2:   pvec.read
