// Rows stay apart where one needs what another leaves too late, and where lanes that are not set do
// something.
// RUN: polyopt-opt %s -p 'affine-interleave-rows{rows=2}' | filecheck %s

// The second loop of a row writes what the first one of the next row reads.
func.func @needed(%n : index, %A : memref<64x64xf32>, %B : memref<64x64xf32> {llvm.noalias}) {
  affine.for %i = 1 to %n {
    affine.for %v = 0 to 62 step 4 {
      %left = affine.apply affine_map<(d0) -> (62 - d0)> (%v)
      %mask = vector.create_mask %left : vector<4xi1>
      %x = pvec.read %A[%i - 1, %v] masked %mask : memref<64x64xf32>, vector<4xf32>
      pvec.write %x, %B[%i, %v] masked %mask : memref<64x64xf32>, vector<4xf32>
    } {poly.loop = #poly.loop<interleave = 1>}
    affine.for %v = 0 to 62 step 4 {
      %left = affine.apply affine_map<(d0) -> (62 - d0)> (%v)
      %mask = vector.create_mask %left : vector<4xi1>
      %x = pvec.read %B[%i, %v] masked %mask : memref<64x64xf32>, vector<4xf32>
      %y = arith.addf %x, %x : vector<4xf32>
      pvec.write %y, %A[%i, %v] masked %mask : memref<64x64xf32>, vector<4xf32>
    } {poly.loop = #poly.loop<interleave = 1>}
  }
  func.return
}

// CHECK-LABEL: func.func @needed
// CHECK-NEXT:    affine.for %i = 1 to %n {
// CHECK-NOT:     affine.if

// A row reads, one element to the right, what the row before writes: a later vector of it.
func.func @ahead(%n : index, %A : memref<64x64xf32>) {
  affine.for %i = 1 to %n {
    affine.for %v = 0 to 62 step 4 {
      %left = affine.apply affine_map<(d0) -> (62 - d0)> (%v)
      %mask = vector.create_mask %left : vector<4xi1>
      %x = pvec.read %A[%i - 1, %v + 1] masked %mask : memref<64x64xf32>, vector<4xf32>
      %y = arith.addf %x, %x : vector<4xf32>
      pvec.write %y, %A[%i, %v] masked %mask : memref<64x64xf32>, vector<4xf32>
    } {poly.loop = #poly.loop<interleave = 1>}
  }
  func.return
}

// CHECK-LABEL: func.func @ahead
// CHECK-NEXT:    affine.for %i = 1 to %n {
// CHECK-NOT:     affine.if

// The write has no mask, so a row must not run on for another one that is longer.
func.func @unmasked(%n : index, %A : memref<64x64xf32>) {
  affine.for %i = 1 to %n {
    affine.for %v = 0 to 60 step 4 {
      %left = affine.apply affine_map<(d0) -> (60 - d0)> (%v)
      %mask = vector.create_mask %left : vector<4xi1>
      %x = pvec.read %A[%i, %v] masked %mask : memref<64x64xf32>, vector<4xf32>
      %y = arith.addf %x, %x : vector<4xf32>
      pvec.write %y, %A[%i, %v] : memref<64x64xf32>, vector<4xf32>
    } {poly.loop = #poly.loop<interleave = 1>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @unmasked
// CHECK-NEXT:    affine.for %i = 1 to %n {
// CHECK-NOT:     affine.if

// Nobody has said that the lanes of this loop are iterations in any order.
func.func @unsaid(%n : index, %A : memref<64x64xf32>) {
  affine.for %i = 1 to %n {
    affine.for %v = 0 to 60 step 4 {
      %left = affine.apply affine_map<(d0) -> (60 - d0)> (%v)
      %mask = vector.create_mask %left : vector<4xi1>
      %x = pvec.read %A[%i, %v] masked %mask : memref<64x64xf32>, vector<4xf32>
      pvec.write %x, %A[%i, %v] masked %mask : memref<64x64xf32>, vector<4xf32>
    }
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @unsaid
// CHECK-NEXT:    affine.for %i = 1 to %n {
// CHECK-NOT:     affine.if

// Nothing shows how the end of a row, a quotient, changes from row to row.
func.func @quotient(%n : index, %A : memref<64x64xf32>) {
  affine.for %i = 1 to %n {
    %half = affine.apply affine_map<(d0) -> (d0 floordiv 2)> (%i)
    "affine.if"(%half) <{condition = affine_set<(d0) : (d0 - 1 >= 0)>}> ({
      affine.for %v = 0 to affine_map<(d0) -> (d0)>(%half) step 4 {
        %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%half]
        %mask = vector.create_mask %left : vector<4xi1>
        %x = pvec.read %A[%i, %v] masked %mask : memref<64x64xf32>, vector<4xf32>
        %y = arith.addf %x, %x : vector<4xf32>
        pvec.write %y, %A[%i, %v] masked %mask : memref<64x64xf32>, vector<4xf32>
      } {poly.loop = #poly.loop<interleave = 1>}
      affine.yield
    }, {
      affine.yield
    }) : (index) -> ()
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @quotient
// CHECK-NEXT:    affine.for %i = 1 to %n {
// CHECK-NEXT:      %half = affine.apply
// CHECK-NEXT:      "affine.if"(%half)
