// Sums in order stay in one vector; masks that move in another way stay as they are.
// RUN: polyopt-opt %s -p 'affine-peel-masks{march="x86-64-v3"}' | filecheck %s

func.func @in_order(%n : index, %A : memref<?xf32>, %x : vector<4xf32>) -> vector<4xf32> {
  %sum = affine.for %v = 0 to %n step 4 iter_args(%s = %x) -> (vector<4xf32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %mask = vector.create_mask %left : vector<4xi1>
    %y = pvec.read %A[%v] masked %mask : memref<?xf32>, vector<4xf32>
    %t = arith.addf %s, %y : vector<4xf32>
    %u = pvec.select %mask, %t, %s : vector<4xi1>, vector<4xf32>
    affine.yield %u : vector<4xf32>
  } {poly.loop = #poly.loop<interleave = 2>}
  func.return %sum : vector<4xf32>
}

// CHECK-LABEL: func.func @in_order
// CHECK-NOT:     step 8
// CHECK:         affine.for {{.*}} step 4 iter_args
// CHECK:         affine.for {{.*}} step 4 iter_args
// CHECK-NOT:     affine.for

// The lanes are of a range that stands still.
func.func @still(%n : index, %A : memref<?xf32>, %x : vector<4xf32>) {
  affine.for %v = 0 to %n step 4 {
    %mask = vector.create_mask %n : vector<4xi1>
    pvec.write %x, %A[%v] masked %mask : memref<?xf32>, vector<4xf32>
  } {poly.loop = #poly.loop<interleave = 1>}
  func.return
}

// CHECK-LABEL: func.func @still
// CHECK-NEXT:    affine.for %v = 0 to %n step 4 {
// CHECK-NEXT:      vector.create_mask

// The loop ends before its mask does.
func.func @short(%n : index, %k : index, %A : memref<?xf32>, %x : vector<4xf32>) {
  affine.for %v = 0 to %k step 4 {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %mask = vector.create_mask %left : vector<4xi1>
    pvec.write %x, %A[%v] masked %mask : memref<?xf32>, vector<4xf32>
  } {poly.loop = #poly.loop<interleave = 1>}
  func.return
}

// CHECK-LABEL: func.func @short
// CHECK-NEXT:    affine.for %v = 0 to %k step 4 {
// CHECK-NEXT:      affine.apply
// CHECK-NEXT:      vector.create_mask
