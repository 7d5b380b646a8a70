// Without serial loops (k has been unrolled), rows that a tile holds as a whole are tiles where a
// broadcast is an operation of its own: those of all rows would be loaded ahead of a row of vectors,
// more than there are registers. With AVX-512 products take elements to all lanes by themselves.
// RUN: polyopt-opt %s -p 'affine-tile-registers{march="x86-64-v3"}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-tile-registers{march="x86-64-v4+prefer256"}' | filecheck %s --check-prefix=WIDE

func.func @product(%A : memref<16x2xf64> {llvm.noalias}, %B : memref<2x8xf64> {llvm.noalias},
                   %C : memref<16x8xf64> {llvm.noalias}) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 8 {
      %a = affine.load %A[%i, 0] : memref<16x2xf64>
      %b = affine.load %B[0, %j] : memref<2x8xf64>
      %c = affine.load %A[%i, 1] : memref<16x2xf64>
      %d = affine.load %B[1, %j] : memref<2x8xf64>
      %old = affine.load %C[%i, %j] : memref<16x8xf64>
      %ab = arith.mulf %a, %b fastmath<fast> : f64
      %cd = arith.mulf %c, %d fastmath<fast> : f64
      %first = arith.addf %old, %ab fastmath<fast> : f64
      %sum = arith.addf %first, %cd fastmath<fast> : f64
      affine.store %sum, %C[%i, %j] : memref<16x8xf64>
    }
  }
  func.return
}

// CHECK-LABEL:   func.func @product
// CHECK:           affine.for %i = 0 to 13 step 4 {
// CHECK-NEXT:        affine.for %j = 0 to 1 step 8 {
// CHECK-COUNT-8:       pvec.write {{.*}}vector<4xf64>
// CHECK-NOT:           pvec.write

// WIDE-LABEL:    func.func @product
// WIDE-NOT:        vector<
