// Short rows that are read again end in a whole vector that runs some iterations twice, where these
// read nothing that they write; rows of fewer iterations than lanes go in ever fewer of them.
// RUN: polyopt-opt %s -p 'affine-peel-masks{march="x86-64-v3"}' | filecheck %s

func.func @there_and_back(%n : index, %t : index, %s : f64) {
  %A = memref.alloca() : memref<40xf64>
  %B = memref.alloca() : memref<40xf64>
  %y = vector.broadcast %s : f64 to vector<4xf64>
  affine.for %i = 0 to %t {
    affine.for %v = 0 to %n step 4 {
      %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
      %mask = vector.create_mask %left : vector<4xi1>
      %a = pvec.read %A[%v] masked %mask : memref<40xf64>, vector<4xf64>
      %b = arith.mulf %a, %y : vector<4xf64>
      pvec.write %b, %B[%v] masked %mask : memref<40xf64>, vector<4xf64>
    } {poly.loop = #poly.loop<interleave = 1>}
    affine.for %k = 0 to %n {
      %b = affine.load %B[%k] : memref<40xf64>
      affine.store %b, %A[%k] : memref<40xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @there_and_back
// CHECK:           affine_set<(d0) : ((d0 + -4) >= 0)>
// CHECK:             affine.for %v = 0 to {{.*}} step 4 {
// CHECK:               pvec.write {{.*}}, %B[%v] : memref<40xf64>, vector<4xf64>
// CHECK:             "affine.if"
// CHECK-NEXT:          {{.*}} = pvec.read %A[%n + -4] : memref<40xf64>, vector<4xf64>
// CHECK:               pvec.write {{.*}}, %B[%n + -4] : memref<40xf64>, vector<4xf64>
// CHECK:             pvec.write {{.*}} : memref<40xf64>, vector<2xf64>
// CHECK:             pvec.write {{.*}} : memref<40xf64>, vector<1xf64>
// CHECK-NOT:       create_mask
// CHECK:         func.return
