// REQUIRES: avx2
// A convolution whose loop over channels was unrolled: four contractions that add to one array, of which all loops are joined. What has
// no loops of its own is marked by nothing: isl could not read such a mark back.
// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffast-math --assume-distinct --cache=off --emit=schedule %s | filecheck %s

// CHECK: poly.scop "conv"
// CHECK-NOT: mark: \22contract\22 }
// CHECK: poly.stmt

func.func @conv(%in: memref<1x14x14x4xf32>, %k: memref<3x3x4x8xf32>, %out: memref<1x12x12x8xf32>) {
  affine.for %z = 0 to 1 {
  affine.for %y = 0 to 12 {
    affine.for %x = 0 to 12 {
      affine.for %f = 0 to 8 {
        affine.for %a = 0 to 3 {
          affine.for %b = 0 to 3 {
            %i0 = affine.load %in[%z, %y + %a, %x + %b, 0] : memref<1x14x14x4xf32>
            %k0 = affine.load %k[%a, %b, 0, %f] : memref<3x3x4x8xf32>
            %o0 = affine.load %out[%z, %y, %x, %f] : memref<1x12x12x8xf32>
            %p0 = arith.mulf %i0, %k0 fastmath<fast> : f32
            %s0 = arith.addf %o0, %p0 fastmath<fast> : f32
            affine.store %s0, %out[%z, %y, %x, %f] : memref<1x12x12x8xf32>
            %i1 = affine.load %in[%z, %y + %a, %x + %b, 1] : memref<1x14x14x4xf32>
            %k1 = affine.load %k[%a, %b, 1, %f] : memref<3x3x4x8xf32>
            %o1 = affine.load %out[%z, %y, %x, %f] : memref<1x12x12x8xf32>
            %p1 = arith.mulf %i1, %k1 fastmath<fast> : f32
            %s1 = arith.addf %o1, %p1 fastmath<fast> : f32
            affine.store %s1, %out[%z, %y, %x, %f] : memref<1x12x12x8xf32>
            %i2 = affine.load %in[%z, %y + %a, %x + %b, 2] : memref<1x14x14x4xf32>
            %k2 = affine.load %k[%a, %b, 2, %f] : memref<3x3x4x8xf32>
            %o2 = affine.load %out[%z, %y, %x, %f] : memref<1x12x12x8xf32>
            %p2 = arith.mulf %i2, %k2 fastmath<fast> : f32
            %s2 = arith.addf %o2, %p2 fastmath<fast> : f32
            affine.store %s2, %out[%z, %y, %x, %f] : memref<1x12x12x8xf32>
            %i3 = affine.load %in[%z, %y + %a, %x + %b, 3] : memref<1x14x14x4xf32>
            %k3 = affine.load %k[%a, %b, 3, %f] : memref<3x3x4x8xf32>
            %o3 = affine.load %out[%z, %y, %x, %f] : memref<1x12x12x8xf32>
            %p3 = arith.mulf %i3, %k3 fastmath<fast> : f32
            %s3 = arith.addf %o3, %p3 fastmath<fast> : f32
            affine.store %s3, %out[%z, %y, %x, %f] : memref<1x12x12x8xf32>
          }
        }
      }
    }
  }
  }
  return
}
