// A register tile that a person has asked for is no contraction's, where the option says so; the
// same nest without it is one.
// RUN: polyopt-opt %s \
// RUN:   -p 'affine-contract{keep_unrolled=true},contract-plan{march="x86-64-v3"},contract-fuse,contract-block,contract-place,contract-to-affine' \
// RUN:   | filecheck %s
// RUN: polyopt-opt %s \
// RUN:   -p 'affine-contract,contract-plan{march="x86-64-v3"},contract-fuse,contract-block,contract-place,contract-to-affine' \
// RUN:   | filecheck %s --check-prefix=ALL

func.func @marked(%C : memref<96x96xf64> {llvm.noalias}, %A : memref<96x96xf64> {llvm.noalias},
                  %B : memref<96x96xf64> {llvm.noalias}) {
  affine.for %it = 0 to 96 step 16 {
    affine.for %k = 0 to 96 {
      affine.for %j = 0 to 96 {
        affine.for %i = affine_map<(d0) -> (d0)>(%it) to affine_map<(d0) -> (d0 + 16)>(%it) {
          %x = affine.load %C[%i, %j] : memref<96x96xf64>
          %p = affine.load %A[%i, %k] : memref<96x96xf64>
          %q = affine.load %B[%k, %j] : memref<96x96xf64>
          %t = arith.mulf %p, %q : f64
          %y = arith.addf %x, %t : f64
          affine.store %y, %C[%i, %j] : memref<96x96xf64>
        } {poly.loop = #poly.loop<unroll>}
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @marked
// CHECK-NOT:     affine.vector_load
// CHECK:         {poly.loop = #poly.loop<unroll>}

func.func @unmarked(%C : memref<96x96xf64> {llvm.noalias}, %A : memref<96x96xf64> {llvm.noalias},
                    %B : memref<96x96xf64> {llvm.noalias}) {
  affine.for %k = 0 to 96 {
    affine.for %j = 0 to 96 {
      affine.for %i = 0 to 96 {
        %x = affine.load %C[%i, %j] : memref<96x96xf64>
        %p = affine.load %A[%i, %k] : memref<96x96xf64>
        %q = affine.load %B[%k, %j] : memref<96x96xf64>
        %t = arith.mulf %p, %q : f64
        %y = arith.addf %x, %t : f64
        affine.store %y, %C[%i, %j] : memref<96x96xf64>
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @unmarked
// CHECK:         affine.vector_load

// ALL-LABEL: func.func @marked
// ALL-NOT:     poly.loop
// ALL:         affine.vector_load
