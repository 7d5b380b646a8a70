// Below the diagonal: a tile that the diagonal cuts goes through a buffer with a mask for each
// row; row tiles that lie above it are never reached.
// RUN: polyopt-opt %s \
// RUN:   -p 'affine-contract,contract-plan{march="x86-64-v3" rows=4 vectors=1},contract-fuse,contract-block,contract-place,contract-to-affine' \
// RUN:   | filecheck %s

func.func @triangle(%C : memref<64x64xf64> {llvm.noalias}, %A : memref<64x64xf64> {llvm.noalias}) {
  affine.for %i = 0 to 64 {
    affine.for %k = 0 to 64 {
      affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        %x = affine.load %C[%i, %j] : memref<64x64xf64>
        %p = affine.load %A[%i, %k] : memref<64x64xf64>
        %q = affine.load %A[%j, %k] : memref<64x64xf64>
        %t = arith.mulf %p, %q : f64
        %y = arith.addf %x, %t : f64
        affine.store %y, %C[%i, %j] : memref<64x64xf64>
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @triangle
// CHECK:       affine.for %jt = 0 to 
// CHECK-NEXT:    affine.for %it = max affine_map<(d0, d1, d2) -> (0, {{.*}} floordiv 4)
// CHECK-NEXT:      %edge = memref.alloca() {{.*}} : memref<4x4xf64>
// CHECK:           affine.for %r = 0 to 4 {
// CHECK:             vector.create_mask
// CHECK:             vector.maskedload %C
