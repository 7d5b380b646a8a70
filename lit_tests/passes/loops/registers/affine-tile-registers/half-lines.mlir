// Where a line takes as long as two halves, columns of which lines would leave more than halves do are in
// halves; not where all of a line is used but for a few lanes, or all, nor on other machines.
// RUN: polyopt-opt %s -p 'affine-tile-registers{march="znver4+avx512dq"}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-tile-registers{march="x86-64-v4"}' | filecheck %s --check-prefix=LINES

func.func @twenty(%A : memref<12x30xf64> {llvm.noalias}, %B : memref<30x20xf64> {llvm.noalias},
                   %C : memref<12x20xf64> {llvm.noalias}) {
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 20 {
      affine.for %k = 0 to 30 {
        %a = affine.load %A[%i, %k] : memref<12x30xf64>
        %b = affine.load %B[%k, %j] : memref<30x20xf64>
        %old = affine.load %C[%i, %j] : memref<12x20xf64>
        %ab = arith.mulf %a, %b fastmath<fast> : f64
        %sum = arith.addf %old, %ab fastmath<fast> : f64
        affine.store %sum, %C[%i, %j] : memref<12x20xf64>
      }
    }
  }
  func.return
}

// CHECK-LABEL:   func.func @twenty
// CHECK:           vector<4xf64>
// CHECK-NOT:       vector<8xf64>
// LINES-LABEL:   func.func @twenty
// LINES:           vector<8xf64>

func.func @twenty_one(%A : memref<12x30xf64> {llvm.noalias}, %B : memref<30x21xf64> {llvm.noalias},
                   %C : memref<12x21xf64> {llvm.noalias}) {
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 21 {
      affine.for %k = 0 to 30 {
        %a = affine.load %A[%i, %k] : memref<12x30xf64>
        %b = affine.load %B[%k, %j] : memref<30x21xf64>
        %old = affine.load %C[%i, %j] : memref<12x21xf64>
        %ab = arith.mulf %a, %b fastmath<fast> : f64
        %sum = arith.addf %old, %ab fastmath<fast> : f64
        affine.store %sum, %C[%i, %j] : memref<12x21xf64>
      }
    }
  }
  func.return
}

// CHECK-LABEL:   func.func @twenty_one
// CHECK-NOT:       vector<4xf64>
// CHECK:           vector<8xf64>

func.func @twenty_four(%A : memref<12x30xf64> {llvm.noalias}, %B : memref<30x24xf64> {llvm.noalias},
                   %C : memref<12x24xf64> {llvm.noalias}) {
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 24 {
      affine.for %k = 0 to 30 {
        %a = affine.load %A[%i, %k] : memref<12x30xf64>
        %b = affine.load %B[%k, %j] : memref<30x24xf64>
        %old = affine.load %C[%i, %j] : memref<12x24xf64>
        %ab = arith.mulf %a, %b fastmath<fast> : f64
        %sum = arith.addf %old, %ab fastmath<fast> : f64
        affine.store %sum, %C[%i, %j] : memref<12x24xf64>
      }
    }
  }
  func.return
}

// CHECK-LABEL:   func.func @twenty_four
// CHECK-NOT:       vector<4xf64>
// CHECK:           vector<8xf64>
// CHECK:           func.return
