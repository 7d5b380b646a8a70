// Rows that run over and over and are read again: what whole vectors leave goes in half the lanes,
// then a quarter, then one, with no mask that the next row waits for.
// RUN: polyopt-opt %s -p 'affine-peel-masks{march="x86-64-v3"}' | filecheck %s

func.func @again(%n : index, %t : index, %A : memref<?xf64>, %x : vector<4xf64>, %s : f64) {
  %y = vector.broadcast %s : f64 to vector<4xf64>
  affine.for %i = 0 to %t {
    affine.for %v = 0 to %n step 4 {
      %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
      %mask = vector.create_mask %left : vector<4xi1>
      %a = pvec.read %A[%v] masked %mask : memref<?xf64>, vector<4xf64>
      %b = arith.mulf %a, %y : vector<4xf64>
      pvec.write %b, %A[%v] masked %mask : memref<?xf64>, vector<4xf64>
    } {poly.loop = #poly.loop<interleave = 1>}
  }
  func.return
}

// CHECK-LABEL: func.func @again
// CHECK:         affine.for %i
// Sixteen vectors and more are a long row.
// CHECK:           affine_set<(d0) : ((d0 + -64) >= 0)>
// CHECK:             pvec.write {{.*}} masked
// CHECK:           affine.for %v_2 = 0 to {{.*}} step 4 {
// CHECK:             pvec.write {{.*}}, %A[%v_2] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:      }
// CHECK:           "affine.if"
// CHECK-NEXT:        vector.broadcast %s : f64 to vector<2xf64>
// CHECK-NEXT:        pvec.read %A[{{.*}}] : memref<?xf64>, vector<2xf64>
// CHECK-NEXT:        arith.mulf {{.*}} : vector<2xf64>
// CHECK-NEXT:        pvec.write {{.*}} : memref<?xf64>, vector<2xf64>
// CHECK:           "affine.if"
// CHECK:             pvec.write {{.*}} : memref<?xf64>, vector<1xf64>
// CHECK-NOT:       create_mask
// CHECK:         func.return

// A vector that comes from somewhere else has no halves; nor is there anything to wait for in what
// is only written, or runs once.

func.func @whole(%n : index, %t : index, %A : memref<?xf64>, %x : vector<4xf64>) {
  affine.for %i = 0 to %t {
    affine.for %v = 0 to %n step 4 {
      %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
      %mask = vector.create_mask %left : vector<4xi1>
      %a = pvec.read %A[%v] masked %mask : memref<?xf64>, vector<4xf64>
      %b = arith.mulf %a, %x : vector<4xf64>
      pvec.write %b, %A[%v] masked %mask : memref<?xf64>, vector<4xf64>
    } {poly.loop = #poly.loop<interleave = 1>}
  }
  func.return
}

// CHECK-LABEL: func.func @whole
// CHECK:           pvec.write {{.*}} masked
// CHECK-NOT:     vector<2xf64>

func.func @written(%n : index, %t : index, %A : memref<?xf64>, %s : f64) {
  %y = vector.broadcast %s : f64 to vector<4xf64>
  affine.for %i = 0 to %t {
    affine.for %v = 0 to %n step 4 {
      %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
      %mask = vector.create_mask %left : vector<4xi1>
      pvec.write %y, %A[%v] masked %mask : memref<?xf64>, vector<4xf64>
    } {poly.loop = #poly.loop<interleave = 1>}
  }
  func.return
}

// CHECK-LABEL: func.func @written
// CHECK:           pvec.write {{.*}} masked
// CHECK-NOT:     vector<2xf64>

func.func @once(%n : index, %A : memref<?xf64>) {
  affine.for %v = 0 to %n step 4 {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %mask = vector.create_mask %left : vector<4xi1>
    %a = pvec.read %A[%v] masked %mask : memref<?xf64>, vector<4xf64>
    %b = arith.mulf %a, %a : vector<4xf64>
    pvec.write %b, %A[%v] masked %mask : memref<?xf64>, vector<4xf64>
  } {poly.loop = #poly.loop<interleave = 1>}
  func.return
}

// CHECK-LABEL: func.func @once
// CHECK:           pvec.write {{.*}} masked
// CHECK-NOT:     vector<2xf64>

// Read from the other end, rows are in no vectors where they are very short.

func.func @folded(%n : index, %t : index, %A : memref<50xf64>) {
  affine.for %i = 0 to %t {
    affine.for %v = 1 to %n step 4 {
      %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
      %mask = vector.create_mask %left : vector<4xi1>
      %a = pvec.read %A[%v] masked %mask : memref<50xf64>, vector<4xf64>
      %b = pvec.read %A[%n - %v] by [-1] masked %mask : memref<50xf64>, vector<4xf64>
      %c = arith.addf %a, %b : vector<4xf64>
      pvec.write %c, %A[%v] masked %mask : memref<50xf64>, vector<4xf64>
    } {poly.loop = #poly.loop<interleave = 1>}
  }
  func.return
}

// CHECK-LABEL: func.func @folded
// CHECK-NOT:     masked
// CHECK:           pvec.write {{.*}} vector<4xf64>
// CHECK:           pvec.write {{.*}} vector<2xf64>
// CHECK:           pvec.write {{.*}} vector<1xf64>
// CHECK:         affine.for %v_1 = 1 to
// CHECK-NEXT:      pvec.read %A[%v_1] : memref<50xf64>, vector<1xf64>
// CHECK-NOT:     masked
// CHECK:         {poly.loop = #poly.loop<no_vector>}
// CHECK:         func.return
