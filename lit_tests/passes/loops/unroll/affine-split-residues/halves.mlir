// What is loaded at x / 2 and depends on x % 2 goes by steps of two; one iteration is left over.
// RUN: polyopt-opt %s -p affine-split-residues | filecheck %s

func.func @halves(%n : index, %A : memref<?xf32> {llvm.noalias}, %B : memref<?xi32> {llvm.noalias}, %C : memref<?xf32> {llvm.noalias}) {
  %two = arith.constant 2 : i32
  affine.for %x = 0 to %n {
    %a = affine.load %A[%x floordiv 2] : memref<?xf32>
    affine.store %a, %C[%x] : memref<?xf32>
    %i = arith.index_cast %x : index to i32
    %r = arith.remsi %i, %two : i32
    affine.store %r, %B[%x] : memref<?xi32>
  } {poly.loop = #poly.loop<parallel, iterator = "x">}
  func.return
}

// CHECK-LABEL: func.func @halves
// CHECK:         [[N:%.*]] = affine.apply affine_map<(d0) -> ((d0 floordiv 2))> (%n)
// CHECK-NEXT:    affine.for %x = 0 to affine_map<(d0) -> (d0)>([[N]]) {
// CHECK:           [[A:%.*]] = affine.load %A[%x]
// CHECK-NEXT:      affine.store [[A]], %C[%x * 2]
// CHECK:           [[ZERO:%.*]] = arith.constant 0 : i32
// CHECK-NEXT:      affine.store [[ZERO]], %B[%x * 2]
// CHECK:           [[B:%.*]] = affine.load %A[%x]
// CHECK-NEXT:      affine.store [[B]], %C[%x * 2 + 1]
// CHECK:           [[ONE:%.*]] = arith.constant 1 : i32
// CHECK-NEXT:      affine.store [[ONE]], %B[%x * 2 + 1]
// CHECK:         } {poly.loop = #poly.loop<parallel, iterator = "x">}
// CHECK:         affine.for
// CHECK:           arith.remsi
// CHECK:         } {poly.loop = #poly.loop<no_unroll>}

// The range begins and ends anywhere, and something else is divided with the iterator.
func.func @anywhere(%m : index, %n : index, %A : memref<?xi8> {llvm.noalias}, %B : memref<?xi8> {llvm.noalias}) {
  affine.for %x = %m to %n {
    %a = affine.load %A[(%x * 2 + %m + 5) floordiv 6] : memref<?xi8>
    affine.store %a, %B[%x] : memref<?xi8>
  }
  func.return
}

// CHECK-LABEL: func.func @anywhere
// CHECK-COUNT-3: affine.for
// CHECK-NOT:     affine.for
// CHECK:         func.return
