// Where sums may have any order, one vector's is four that are added up behind the loop, for it would
// wait for itself; not where the loop is short, where what is added to is a product, or in the order
// that was written.
// RUN: polyopt-opt %s -p 'affine-tile-registers{march="x86-64-v4"},share-transfers,lower-transfers' | filecheck %s

// CHECK-LABEL:   func.func @one_vector
// CHECK:           %steps = affine.apply {{.*}} (%n)
// CHECK-COUNT-3:   arith.constant -0.000000e+00 : f32
// CHECK:           [[P:%\S+]], [[Q:%\S+]], [[R:%\S+]], [[S:%\S+]] = affine.for %k = 0 to {{.*}}(%n) step 4
// CHECK-COUNT-4:     affine.vector_load %B
// CHECK:             affine.yield
// CHECK:           [[PR:%\S+]] = arith.addf [[P]], [[R]]
// CHECK-NEXT:      [[QS:%\S+]] = arith.addf [[Q]], [[S]]
// CHECK-NEXT:      [[ALL:%\S+]] = arith.addf [[PR]], [[QS]]
// CHECK-NEXT:      affine.for %k_1 = max {{.*}}(%steps) to {{.*}} iter_args({{%\S+}} = [[ALL]]) -> (vector<16xf32>)
// CHECK-LABEL:   func.func @short
// CHECK-NOT:       step 4
// CHECK-LABEL:   func.func @product
// CHECK-NOT:       step 4
builtin.module attributes {polyopt.fastmath = #arith.fastmath<fast>} {
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

  func.func @short(%A : memref<?xf32> {llvm.noalias}, %B : memref<?x16xf32> {llvm.noalias},
                   %C : memref<16xf32> {llvm.noalias}) {
    affine.for %i = 0 to 16 {
      affine.for %k = 0 to 7 {
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

  func.func @product(%n : index, %B : memref<?x16xf32> {llvm.noalias},
                     %C : memref<16xf32> {llvm.noalias}) {
    affine.for %i = 0 to 16 {
      affine.for %k = 0 to %n {
        %b = affine.load %B[%k, %i] : memref<?x16xf32>
        %c = affine.load %C[%i] : memref<16xf32>
        %s = arith.mulf %c, %b : f32
        affine.store %s, %C[%i] : memref<16xf32>
      }
    }
    func.return
  }
}
