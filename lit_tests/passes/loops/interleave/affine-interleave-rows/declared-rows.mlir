// How far rows go is not known, but the arrays' own rows end somewhere: what four of them walk along
// is in L1, where many streams could not be followed.
// RUN: polyopt-opt %s -p 'affine-interleave-rows{march="x86-64-v4"}' | filecheck %s

func.func @weighted(%n : index, %c : index, %A : memref<?x9x48xf32>, %B : memref<9x48xf32>, %C : memref<?x48xf32>) {
  affine.for %i = 0 to %n {
    affine.for %v = 0 to %c step 16 {
      %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%c]
      %mask = vector.create_mask %left : vector<16xi1>
      %a0 = pvec.read %A[%i, 0, %v] masked %mask : memref<?x9x48xf32>, vector<16xf32>
      %a1 = pvec.read %A[%i, 1, %v] masked %mask : memref<?x9x48xf32>, vector<16xf32>
      %b0 = pvec.read %B[0, %v] masked %mask : memref<9x48xf32>, vector<16xf32>
      %b1 = pvec.read %B[1, %v] masked %mask : memref<9x48xf32>, vector<16xf32>
      %x0 = arith.mulf %a0, %b0 : vector<16xf32>
      %x1 = arith.mulf %a1, %b1 : vector<16xf32>
      %x = arith.addf %x0, %x1 : vector<16xf32>
      pvec.write %x, %C[%i, %v] masked %mask : memref<?x48xf32>, vector<16xf32>
    } {poly.loop = #poly.loop<interleave = 1>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @weighted
// CHECK:         affine.for %i = 0 to {{.*}} step 4 {
// CHECK-COUNT-4:   pvec.write

func.func @long(%n : index, %c : index, %A : memref<?x9x?xf32>, %B : memref<9x?xf32>, %C : memref<?x?xf32>) {
  affine.for %i = 0 to %n {
    affine.for %v = 0 to %c step 16 {
      %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%c]
      %mask = vector.create_mask %left : vector<16xi1>
      %a0 = pvec.read %A[%i, 0, %v] masked %mask : memref<?x9x?xf32>, vector<16xf32>
      %a1 = pvec.read %A[%i, 1, %v] masked %mask : memref<?x9x?xf32>, vector<16xf32>
      %b0 = pvec.read %B[0, %v] masked %mask : memref<9x?xf32>, vector<16xf32>
      %b1 = pvec.read %B[1, %v] masked %mask : memref<9x?xf32>, vector<16xf32>
      %x0 = arith.mulf %a0, %b0 : vector<16xf32>
      %x1 = arith.mulf %a1, %b1 : vector<16xf32>
      %x = arith.addf %x0, %x1 : vector<16xf32>
      pvec.write %x, %C[%i, %v] masked %mask : memref<?x?xf32>, vector<16xf32>
    } {poly.loop = #poly.loop<interleave = 1>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @long
// CHECK:         affine.for %i = 0 to %n {

// Rows that share an eighth of what they load and store run together where they are short.

func.func @little_of_long(%n : index, %c : index, %A : memref<?x194xf32>, %B : memref<?x194xf32>, %C : memref<?x194xf32>, %D : memref<?x194xf32>, %E : memref<?x194xf32>, %W : memref<194xf32>) {
  affine.for %i = 0 to %n {
    affine.for %v = 0 to %c step 16 {
      %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%c]
      %mask = vector.create_mask %left : vector<16xi1>
      %a = pvec.read %A[%i, %v] masked %mask : memref<?x194xf32>, vector<16xf32>
      %b = pvec.read %B[%i, %v] masked %mask : memref<?x194xf32>, vector<16xf32>
      %c0 = pvec.read %C[%i, %v] masked %mask : memref<?x194xf32>, vector<16xf32>
      %d = pvec.read %D[%i, %v] masked %mask : memref<?x194xf32>, vector<16xf32>
      %w = pvec.read %W[%v] masked %mask : memref<194xf32>, vector<16xf32>
      %x = arith.mulf %a, %w : vector<16xf32>
      %y = arith.addf %x, %b : vector<16xf32>
      %z = arith.mulf %y, %c0 : vector<16xf32>
      %e = arith.addf %z, %d : vector<16xf32>
      pvec.write %e, %E[%i, %v] masked %mask : memref<?x194xf32>, vector<16xf32>
    } {poly.loop = #poly.loop<interleave = 1>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @little_of_long
// CHECK:         affine.for %i = 0 to %n {

func.func @little_of_short(%n : index, %c : index, %A : memref<?x100xf32>, %B : memref<?x100xf32>, %C : memref<?x100xf32>, %D : memref<?x100xf32>, %E : memref<?x100xf32>, %W : memref<100xf32>) {
  affine.for %i = 0 to %n {
    affine.for %v = 0 to %c step 16 {
      %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%c]
      %mask = vector.create_mask %left : vector<16xi1>
      %a = pvec.read %A[%i, %v] masked %mask : memref<?x100xf32>, vector<16xf32>
      %b = pvec.read %B[%i, %v] masked %mask : memref<?x100xf32>, vector<16xf32>
      %c0 = pvec.read %C[%i, %v] masked %mask : memref<?x100xf32>, vector<16xf32>
      %d = pvec.read %D[%i, %v] masked %mask : memref<?x100xf32>, vector<16xf32>
      %w = pvec.read %W[%v] masked %mask : memref<100xf32>, vector<16xf32>
      %x = arith.mulf %a, %w : vector<16xf32>
      %y = arith.addf %x, %b : vector<16xf32>
      %z = arith.mulf %y, %c0 : vector<16xf32>
      %e = arith.addf %z, %d : vector<16xf32>
      pvec.write %e, %E[%i, %v] masked %mask : memref<?x100xf32>, vector<16xf32>
    } {poly.loop = #poly.loop<interleave = 1>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @little_of_short
// CHECK:         affine.for %i = 0 to {{.*}} step 4 {

// Of every other element, rows of 100 walk along 200.

func.func @side_by_side(%n : index, %c : index, %A : memref<?x3x200xf64>, %B : memref<3x100xf64>, %C : memref<?x100xf64>) {
  affine.for %i = 0 to %n {
    affine.for %v = 0 to %c step 8 {
      %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%c]
      %mask = vector.create_mask %left : vector<8xi1>
      %a0 = pvec.read %A[%i, 0, %v] masked %mask : memref<?x3x200xf64>, vector<8xf64>
      %b0 = pvec.read %B[0, %v] masked %mask : memref<3x100xf64>, vector<8xf64>
      %x0 = arith.mulf %a0, %b0 : vector<8xf64>
      %a1 = pvec.read %A[%i, 1, %v] masked %mask : memref<?x3x200xf64>, vector<8xf64>
      %b1 = pvec.read %B[1, %v] masked %mask : memref<3x100xf64>, vector<8xf64>
      %x1 = arith.mulf %a1, %b1 : vector<8xf64>
      %a2 = pvec.read %A[%i, 2, %v] masked %mask : memref<?x3x200xf64>, vector<8xf64>
      %b2 = pvec.read %B[2, %v] masked %mask : memref<3x100xf64>, vector<8xf64>
      %x2 = arith.mulf %a2, %b2 : vector<8xf64>
      %y = arith.addf %x0, %x1 : vector<8xf64>
      %z = arith.addf %y, %x2 : vector<8xf64>
      pvec.write %z, %C[%i, %v] masked %mask : memref<?x100xf64>, vector<8xf64>
    } {poly.loop = #poly.loop<interleave = 1>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @side_by_side
// CHECK:         affine.for %i = 0 to {{.*}} step 4 {

func.func @every_other(%n : index, %c : index, %A : memref<?x3x200xf64>, %B : memref<3x100xf64>, %C : memref<?x100xf64>) {
  affine.for %i = 0 to %n {
    affine.for %v = 0 to %c step 8 {
      %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%c]
      %mask = vector.create_mask %left : vector<8xi1>
      %a0 = pvec.read %A[%i, 0, %v * 2] by [0, 0, 2] masked %mask : memref<?x3x200xf64>, vector<8xf64>
      %b0 = pvec.read %B[0, %v] masked %mask : memref<3x100xf64>, vector<8xf64>
      %x0 = arith.mulf %a0, %b0 : vector<8xf64>
      %a1 = pvec.read %A[%i, 1, %v * 2] by [0, 0, 2] masked %mask : memref<?x3x200xf64>, vector<8xf64>
      %b1 = pvec.read %B[1, %v] masked %mask : memref<3x100xf64>, vector<8xf64>
      %x1 = arith.mulf %a1, %b1 : vector<8xf64>
      %a2 = pvec.read %A[%i, 2, %v * 2] by [0, 0, 2] masked %mask : memref<?x3x200xf64>, vector<8xf64>
      %b2 = pvec.read %B[2, %v] masked %mask : memref<3x100xf64>, vector<8xf64>
      %x2 = arith.mulf %a2, %b2 : vector<8xf64>
      %y = arith.addf %x0, %x1 : vector<8xf64>
      %z = arith.addf %y, %x2 : vector<8xf64>
      pvec.write %z, %C[%i, %v] masked %mask : memref<?x100xf64>, vector<8xf64>
    } {poly.loop = #poly.loop<interleave = 1>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @every_other
// CHECK:         affine.for %i = 0 to %n {
