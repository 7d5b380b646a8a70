// Without registers for masks, lanes that data leave out get back what has been read of them, forward
// and backward, and no store is made where no lane is chosen.
// RUN: polyopt-opt %s -p 'lower-transfers{march="x86-64-v3"}' | filecheck %s
// RUN: polyopt-opt %s -p 'lower-transfers{march="x86-64-v4"}' | filecheck %s --check-prefix=MASKS

// CHECK-LABEL: func.func @forward
// CHECK:         [[OLD:%.*]] = affine.vector_load %A[%v]
// CHECK:         [[MASK:%.*]] = pvec.cmpi "sgt"
// CHECK-NEXT:    [[ANY:%.*]] = vector.reduction <or>, [[MASK]]
// CHECK-NEXT:    scf.if [[ANY]] {
// CHECK-NEXT:      [[NEW:%.*]] = pvec.select [[MASK]], %y, [[OLD]]
// CHECK-NEXT:      affine.vector_store [[NEW]], %A[%v]
// MASKS-LABEL: func.func @forward
// MASKS:         vector.maskedstore %A
func.func @forward(%A : memref<?xi32>, %y : vector<8xi32>, %n : index) {
  affine.for %v = 0 to %n step 8 {
    %x = pvec.read %A[%v] : memref<?xi32>, vector<8xi32>
    %m = pvec.cmpi "sgt", %y, %x : vector<8xi32> -> vector<8xi1>
    pvec.write %y, %A[%v] masked %m : memref<?xi32>, vector<8xi32>
  }
  func.return
}

// CHECK-LABEL: func.func @backward
// CHECK-NOT:     vector.maskedstore
// CHECK:         affine.vector_store
func.func @backward(%A : memref<?xi32>, %y : vector<8xi32>, %n : index) {
  affine.for %v = 0 to %n step 8 {
    %x = pvec.read %A[%v * -1] by [-1] : memref<?xi32>, vector<8xi32>
    %m = pvec.cmpi "sgt", %y, %x : vector<8xi32> -> vector<8xi1>
    pvec.write %y, %A[%v * -1] by [-1] masked %m : memref<?xi32>, vector<8xi32>
  }
  func.return
}

// Another place was read.
// CHECK-LABEL: func.func @beside
// CHECK:         vector.maskedstore %A
func.func @beside(%A : memref<?xi32>, %y : vector<8xi32>, %n : index) {
  affine.for %v = 0 to %n step 8 {
    %x = pvec.read %A[%v + 1] : memref<?xi32>, vector<8xi32>
    %m = pvec.cmpi "sgt", %y, %x : vector<8xi32> -> vector<8xi1>
    pvec.write %y, %A[%v] masked %m : memref<?xi32>, vector<8xi32>
  }
  func.return
}

// What was read may have been written over.
// CHECK-LABEL: func.func @written_between
// CHECK:         vector.maskedstore %A
func.func @written_between(%A : memref<?xi32>, %B : memref<?xi32>, %y : vector<8xi32>, %n : index) {
  affine.for %v = 0 to %n step 8 {
    %x = pvec.read %A[%v] : memref<?xi32>, vector<8xi32>
    %m = pvec.cmpi "sgt", %y, %x : vector<8xi32> -> vector<8xi1>
    pvec.write %x, %B[%v] : memref<?xi32>, vector<8xi32>
    pvec.write %y, %A[%v] masked %m : memref<?xi32>, vector<8xi32>
  }
  func.return
}

// Only some of the elements need exist, and the loop may end before the others.
// CHECK-LABEL: func.func @at_the_end
// CHECK:         vector.maskedstore %A
func.func @at_the_end(%A : memref<?xi32>, %y : vector<8xi32>, %n : index) {
  affine.for %v = 0 to %n step 8 {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<8xi1>
    %x = pvec.read %A[%v] masked %m : memref<?xi32>, vector<8xi32>
    %c = pvec.cmpi "sgt", %y, %x : vector<8xi32> -> vector<8xi1>
    %both = arith.andi %m, %c : vector<8xi1>
    pvec.write %y, %A[%v] masked %both : memref<?xi32>, vector<8xi32>
  }
  func.return
}
