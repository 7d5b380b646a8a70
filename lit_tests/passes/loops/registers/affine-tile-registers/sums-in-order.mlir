// The order of a sum is kept where nothing permits another one.
// RUN: polyopt-opt %s -p 'affine-tile-registers{march="x86-64-v4"},share-transfers,lower-transfers' | filecheck %s

// CHECK:       affine.for %k = 0 to affine_map<(d0) -> (d0)>(%n) iter_args
// CHECK-NOT:   affine.for
func.func @one_vector(%n : index, %A : memref<?xf32> {llvm.noalias},
                      %B : memref<?x16xf32> {llvm.noalias}, %C : memref<16xf32> {llvm.noalias}) {
  affine.for %i = 0 to 16 {
    affine.for %k = 0 to %n {
      %a = affine.load %A[%k] : memref<?xf32>
      %b = affine.load %B[%k, %i] : memref<?x16xf32>
      %ab = arith.mulf %a, %b : f32
      %c = affine.load %C[%i] : memref<16xf32>
      %s = arith.addf %c, %ab : f32
      affine.store %s, %C[%i] : memref<16xf32>
    }
  }
  func.return
}
