// Some cores take as long for a store under a mask as for one of each lane: what whole vectors leave
// is a whole vector that goes over iterations that have run, or goes in fewer lanes; rows do not
// begin under a mask so that their stores lie on lines.
// RUN: polyopt-opt %s -p 'affine-peel-masks{march=znver3}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-peel-masks{march=skylake}' | filecheck %s --check-prefix=QUICK

func.func @once(%n : index, %A : memref<?xf32> {llvm.noalias}, %B : memref<?xf32> {llvm.noalias}, %y : vector<8xf32>) {
  affine.for %v = 0 to %n step 8 {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %mask = vector.create_mask %left : vector<8xi1>
    %a = pvec.read %A[%v] masked %mask : memref<?xf32>, vector<8xf32>
    %b = arith.mulf %a, %a : vector<8xf32>
    pvec.write %b, %B[%v] masked %mask : memref<?xf32>, vector<8xf32>
  } {poly.loop = #poly.loop<interleave = 1>}
  func.return
}

// CHECK-LABEL: func.func @once
// CHECK-NOT:     masked
// CHECK:         pvec.write {{.*}}, %B[%n + -8] : memref<?xf32>, vector<8xf32>
// CHECK:         pvec.write {{.*}} : memref<?xf32>, vector<4xf32>
// CHECK:         func.return

// QUICK-LABEL: func.func @once
// QUICK-NOT:     %n + -8]
// QUICK:         pvec.write {{.*}} masked
// QUICK:         func.return

// Rows of 128 begin at 4, between two lines.

func.func @rows(%n : index, %A : memref<?x128xf32> {llvm.noalias}, %B : memref<?x128xf32> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %v = 4 to 124 step 8 {
      %left = affine.apply affine_map<(d0) -> (124 - d0)> (%v)
      %mask = vector.create_mask %left : vector<8xi1>
      %a = pvec.read %A[%i, %v] masked %mask : memref<?x128xf32>, vector<8xf32>
      %b = arith.mulf %a, %a : vector<8xf32>
      pvec.write %b, %B[%i, %v] masked %mask : memref<?x128xf32>, vector<8xf32>
    } {poly.loop = #poly.loop<interleave = 1>}
  }
  func.return
}

// CHECK-LABEL: func.func @rows
// CHECK-NOT:     masked
// CHECK:         affine.for %v = 4 to 124 step 8
// CHECK-NOT:     masked
// CHECK:         func.return

// QUICK-LABEL: func.func @rows
// QUICK:         affine.for %v = 0 to 8 step 8
// QUICK:         masked
// QUICK:         affine.for %v_1 = 8 to 120 step 8

// A sum has no stores that wait.

func.func @sum(%n : index, %A : memref<?xf32>, %s : memref<f32>) {
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %sum = affine.for %v = 0 to %n step 8 iter_args(%old = %zero) -> (vector<8xf32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %mask = vector.create_mask %left : vector<8xi1>
    %a = pvec.read %A[%v] masked %mask : memref<?xf32>, vector<8xf32>
    %new = arith.addf %old, %a : vector<8xf32>
    affine.yield %new : vector<8xf32>
  } {poly.loop = #poly.loop<interleave = 1>}
  %all = vector.reduction <add>, %sum : vector<8xf32> into f32
  affine.store %all, %s[] : memref<f32>
  func.return
}

// CHECK-LABEL: func.func @sum
// CHECK:         pvec.read {{.*}} masked
