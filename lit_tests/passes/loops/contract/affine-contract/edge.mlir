// The size from which on a product is packed is the one that is given, whatever is multiplied and whoever
// comes behind; where none is given, a model knows it: 20 of rows that are scaled, and L2's of others.
// RUN: polyopt-opt %s -p 'affine-contract{tiles=true march="x86-64-v3"}' | filecheck %s --check-prefix=MODEL
// RUN: polyopt-opt %s -p 'affine-contract{tiles=true smallest=10 march="x86-64-v3"}' | filecheck %s --check-prefix=TEN
// RUN: polyopt-opt %s -p 'affine-contract{tiles=true smallest=25 march="x86-64-v3"}' | filecheck %s --check-prefix=MORE

// MODEL-LABEL: func.func @scaled
// MODEL:         contract.nest
// TEN-LABEL:   func.func @scaled
// TEN:           contract.nest
// MORE-LABEL:  func.func @scaled
// MORE-NOT:      contract.nest
func.func @scaled(%f : f64, %C : memref<48x48xf64> {llvm.noalias}, %A : memref<48x48xf64> {llvm.noalias},
                  %B : memref<48x48xf64> {llvm.noalias}) {
  affine.for %i = 0 to 24 {
    affine.for %j = 0 to 48 {
      affine.for %k = 0 to 48 {
        %x = affine.load %C[%i, %j] : memref<48x48xf64>
        %p = affine.load %A[%i, %k] : memref<48x48xf64>
        %q = affine.load %B[%k, %j] : memref<48x48xf64>
        %s = arith.mulf %f, %p : f64
        %t = arith.mulf %s, %q : f64
        %y = arith.addf %x, %t : f64
        affine.store %y, %C[%i, %j] : memref<48x48xf64>
      }
    }
  }
  func.return
}

// MODEL-LABEL: func.func @plain
// MODEL-NOT:     contract.nest
// TEN-LABEL:   func.func @plain
// TEN:           contract.nest
// MORE-LABEL:  func.func @plain
// MORE-NOT:      contract.nest
func.func @plain(%C : memref<48x48xf64> {llvm.noalias}, %A : memref<48x48xf64> {llvm.noalias},
                 %B : memref<48x48xf64> {llvm.noalias}) {
  affine.for %i = 0 to 24 {
    affine.for %j = 0 to 48 {
      affine.for %k = 0 to 48 {
        %x = affine.load %C[%i, %j] : memref<48x48xf64>
        %p = affine.load %A[%i, %k] : memref<48x48xf64>
        %q = affine.load %B[%k, %j] : memref<48x48xf64>
        %t = arith.mulf %p, %q : f64
        %y = arith.addf %x, %t : f64
        affine.store %y, %C[%i, %j] : memref<48x48xf64>
      }
    }
  }
  func.return
}
