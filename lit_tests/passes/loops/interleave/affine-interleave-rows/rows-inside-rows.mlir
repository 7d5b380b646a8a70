// A loop whose end is a quotient is looked at as one from value to value too: where that does not help, it stays, and
// the loops inside, which may be rows as well, stay with it.
// RUN: polyopt-opt %s -p 'affine-interleave-rows{march="x86-64-v4"}' | filecheck %s

func.func @rows(%n : index, %c : index, %A : memref<?x9x48xf32>, %B : memref<9x48xf32>, %C : memref<?x?x48xf32>, %D : memref<?x48xf32>) {
  affine.for %k = 0 to affine_map<()[s0] -> ((s0 - 1) floordiv 5)>()[%n] {
    affine.for %u = 0 to %c step 16 {
      %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%u)[%c]
      %mask = vector.create_mask %left : vector<16xi1>
      %d = pvec.read %D[%k + 1, %u] masked %mask : memref<?x48xf32>, vector<16xf32>
      %e = pvec.read %D[%k, %u] masked %mask : memref<?x48xf32>, vector<16xf32>
      %x = arith.mulf %d, %e : vector<16xf32>
      pvec.write %x, %D[%k, %u] masked %mask : memref<?x48xf32>, vector<16xf32>
    } {poly.loop = #poly.loop<interleave = 1>}
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
        pvec.write %x, %C[%k, %i, %v] masked %mask : memref<?x?x48xf32>, vector<16xf32>
      } {poly.loop = #poly.loop<interleave = 1>}
    } {poly.loop = #poly.loop<parallel>}
  }
  func.return
}

// CHECK-LABEL: func.func @rows
// CHECK:         affine.for %k = 0 to affine_map<()[s0] -> (((s0 + -1) floordiv 5))>()[%n] {
// CHECK:           affine.for %i = 0 to {{.*}} step 4 {
// CHECK-COUNT-4:     pvec.write {{.*}}, %C
