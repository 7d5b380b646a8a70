// Filters %k share what they read of the channels %c; channels share what is written only.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v3"},affine-interleave-rows{march="x86-64-v3"},affine-peel-masks{march="x86-64-v3"},share-transfers,lower-transfers' | filecheck %s

func.func @filters(%W : memref<64x32x4xf32> {llvm.noalias}, %X : memref<32x67xf32> {llvm.noalias}, %Y : memref<64x64xf32> {llvm.noalias}) {
  affine.for %k = 0 to 64 {
    affine.for %c = 0 to 32 {
      affine.for %x = 0 to 64 {
        %y = affine.load %Y[%k, %x] : memref<64x64xf32>
        %a = affine.load %X[%c, %x] : memref<32x67xf32>
        %v = affine.load %W[%k, %c, 0] : memref<64x32x4xf32>
        %av = arith.mulf %a, %v : f32
        %s = arith.addf %y, %av : f32
        %b = affine.load %X[%c, %x + 1] : memref<32x67xf32>
        %w = affine.load %W[%k, %c, 1] : memref<64x32x4xf32>
        %bw = arith.mulf %b, %w : f32
        %t = arith.addf %s, %bw : f32
        %d = affine.load %X[%c, %x + 2] : memref<32x67xf32>
        %z = affine.load %W[%k, %c, 2] : memref<64x32x4xf32>
        %dz = arith.mulf %d, %z : f32
        %u = arith.addf %t, %dz : f32
        %e = affine.load %X[%c, %x + 3] : memref<32x67xf32>
        %q = affine.load %W[%k, %c, 3] : memref<64x32x4xf32>
        %eq = arith.mulf %e, %q : f32
        %r = arith.addf %u, %eq : f32
        affine.store %r, %Y[%k, %x] : memref<64x64xf32>
      } {poly.loop = #poly.loop<parallel>}
    }
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @filters
// CHECK-NEXT:    affine.for %k = 0 to 64 step 4 {
// CHECK:           affine.for %c = 0 to 32 {
// CHECK:             affine.for %v = 0 to 64 step 8 {
// CHECK-COUNT-4:       affine.vector_load %X[%c, %v
// CHECK-NOT:           affine.vector_load %X
// CHECK:               affine.vector_store {{%.*}}, %Y[%k, %v]
// CHECK-NEXT:          affine.vector_store {{%.*}}, %Y[%k + 1, %v]
// CHECK-NEXT:          affine.vector_store {{%.*}}, %Y[%k + 2, %v]
// CHECK-NEXT:          affine.vector_store {{%.*}}, %Y[%k + 3, %v]
