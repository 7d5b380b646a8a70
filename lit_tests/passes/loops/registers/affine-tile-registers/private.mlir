// A variable that each iteration sets first has a register in each lane, and is not stored; code
// before and behind the serial loop works on the same registers.
// RUN: polyopt-opt %s -p 'affine-tile-registers{march="x86-64-v4"},share-transfers,lower-transfers' | filecheck %s

func.func @window(%in : memref<20x19xf32> {llvm.noalias}, %w : memref<4x4xf32> {llvm.noalias},
                  %out : memref<16x16xf32> {llvm.noalias}) {
  %s = memref.alloca() : memref<f32>
  %zero = arith.constant 0.0 : f32
  affine.for %y = 0 to 16 {
    affine.for %x = 0 to 16 {
      affine.store %zero, %s[] : memref<f32>
      affine.for %p = 0 to 4 {
        affine.for %q = 0 to 4 {
          %a = affine.load %in[%y + %p, %x + %q] : memref<20x19xf32>
          %b = affine.load %w[%p, %q] : memref<4x4xf32>
          %ab = arith.mulf %a, %b : f32
          %s0 = affine.load %s[] : memref<f32>
          %s1 = arith.addf %s0, %ab : f32
          affine.store %s1, %s[] : memref<f32>
        }
      }
      %s2 = affine.load %s[] : memref<f32>
      %most = arith.maximumf %s2, %zero : f32
      affine.store %most, %out[%y, %x] : memref<16x16xf32>
    }
  }
  func.return
}

// CHECK-LABEL:   func.func @window
// CHECK:           affine.for %y = 0 to {{[0-9]+}} step [[ROWS:[0-9]+]]
// CHECK:             affine.for %x = 0 to 1 step 16
// CHECK-NOT:           %s[]
// CHECK:               affine.for %p = 0 to 4 iter_args
// CHECK:                 affine.for %q = 0 to 4 iter_args
// CHECK-NEXT:              affine.vector_load %in
// CHECK-NOT:               %s[]
// CHECK:                   affine.load %w
// CHECK-NOT:               affine.load
// CHECK:               arith.maximumf {{.*}} : vector<16xf32>
// CHECK:               affine.vector_store {{.*}}, %out
// CHECK-NOT:           %s[]
// CHECK:           func.return
