// At the edges: a single update, no depth, one row above a triangle.
// RUN: polyopt-opt %s -p 'contract-to-affine' | filecheck %s

func.func @one(%n: index, %C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias}, %B: memref<?x?xf64> {llvm.noalias}) {
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, 1 - i - 1 >= 0, j >= 0, 1 - j - 1 >= 0, k >= 0, 1 - k - 1 >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    %t = arith.mulf %p, %q : f64
    %y = arith.addf %x, %t : f64
    contract.yield %y : f64
  }
  func.return
}

// CHECK-LABEL: @one(
// CHECK-NEXT:    affine.for %i = 0 to 1 {
// CHECK-NEXT:      affine.for %j = 0 to 1 {
// CHECK-NEXT:        affine.for %k = 0 to 1 {
// CHECK-NEXT:          %p = affine.load %A[%i, %k] : memref<?x?xf64>
// CHECK-NEXT:          %q = affine.load %B[%k, %j] : memref<?x?xf64>
// CHECK-NEXT:          %t = arith.mulf %p, %q : f64
// CHECK-NEXT:          %x = affine.load %C[%i, %j] : memref<?x?xf64>
// CHECK-NEXT:          %y = arith.addf %x, %t : f64
// CHECK-NEXT:          affine.store %y, %C[%i, %j] : memref<?x?xf64>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// The loops stay; the innermost runs never.
func.func @no_depth(%n: index, %C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias}, %B: memref<?x?xf64> {llvm.noalias}) {
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, n - j - 1 >= 0, k >= 0, 0 - k - 1 >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    %t = arith.mulf %p, %q : f64
    %y = arith.addf %x, %t : f64
    contract.yield %y : f64
  }
  func.return
}

// CHECK-LABEL: @no_depth(
// CHECK-NEXT:    affine.for %i = 0 to affine_map<(d0) -> (d0)>(%n) {
// CHECK-NEXT:      affine.for %j = 0 to affine_map<(d0) -> (d0)>(%n) {
// CHECK-NEXT:        affine.for %k = 0 to 0 {
// CHECK-NEXT:          %p = affine.load %A[%i, %k] : memref<?x?xf64>
// CHECK-NEXT:          %q = affine.load %B[%k, %j] : memref<?x?xf64>
// CHECK-NEXT:          %t = arith.mulf %p, %q : f64
// CHECK-NEXT:          %x = affine.load %C[%i, %j] : memref<?x?xf64>
// CHECK-NEXT:          %y = arith.addf %x, %t : f64
// CHECK-NEXT:          affine.store %y, %C[%i, %j] : memref<?x?xf64>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

func.func @row(%n: index, %C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias}, %B: memref<?x?xf64> {llvm.noalias}) {
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, 0 - i >= 0, j - 1 >= 0, n - j - 1 >= 0, k - j >= 0, n - k - 1 >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    %t = arith.mulf %p, %q : f64
    %y = arith.addf %x, %t : f64
    contract.yield %y : f64
  }
  func.return
}

// CHECK-LABEL: @row(
// CHECK-NEXT:    affine.for %i = 0 to 1 {
// CHECK-NEXT:      affine.for %j = 1 to affine_map<(d0) -> (d0)>(%n) {
// CHECK-NEXT:        affine.for %k = affine_map<(d0) -> (d0)>(%j) to affine_map<(d0) -> (d0)>(%n) {
// CHECK-NEXT:          %p = affine.load %A[%i, %k] : memref<?x?xf64>
// CHECK-NEXT:          %q = affine.load %B[%k, %j] : memref<?x?xf64>
// CHECK-NEXT:          %t = arith.mulf %p, %q : f64
// CHECK-NEXT:          %x = affine.load %C[%i, %j] : memref<?x?xf64>
// CHECK-NEXT:          %y = arith.addf %x, %t : f64
// CHECK-NEXT:          affine.store %y, %C[%i, %j] : memref<?x?xf64>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
