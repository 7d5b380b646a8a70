// Nests of one element and of none get sizes, too, and lanes by the type. Blocks that are not given hold
// whole tiles of the sizes that are; no size is less than nothing.
// RUN: polyopt-opt %s -p 'contract-plan{march="x86-64-v3"}' | filecheck %s
// RUN: polyopt-opt %s -p 'contract-plan{march="x86-64-v3" rows=64 vectors=16 depth=100000}' -o %t.mlir
// RUN: filecheck %s --check-prefix=LARGE --input-file %t.mlir
// RUN: polyopt-opt %t.mlir | filecheck %s --check-prefix=LARGE
// RUN: not polyopt-opt %s -p 'contract-plan{depth=-3}' 2>&1 | filecheck %s --check-prefix=LESS

// LESS: error: contract-plan: depth is a size, or 0, not -3

// CHECK-LABEL: func.func @one(
// CHECK:         blocking <rows = {{[1-9]}}{{[0-9]*}}, vectors = {{[1-9]}}, lanes = 4, depth = {{[1-9]}}
// LARGE-LABEL: func.func @one(
// LARGE:         blocking <rows = 64, vectors = 16, lanes = 4, depth = 100000, row_block = {{64|128|192|256|320|384|448|512|576|640|1024}}, column_block =
func.func @one(%n: index, %C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias},
                 %B: memref<?x?xf64> {llvm.noalias}) {
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, -i >= 0, j >= 0, -j >= 0, k >= 0, -k >= 0)>
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

// CHECK-LABEL: func.func @nothing(
// CHECK:         blocking <rows = {{[1-9]}}{{[0-9]*}}, vectors = {{[1-9]}}, lanes = 4, depth = {{[1-9]}}
// LARGE-LABEL: func.func @nothing(
// LARGE:         blocking <rows = 64, vectors = 16, lanes = 4, depth = 100000, row_block = {{64|128|192|256|320|384|448|512|576|640|1024}}, column_block =
func.func @nothing(%n: index, %C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias},
                 %B: memref<?x?xf64> {llvm.noalias}) {
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, -i - 1 >= 0, j >= 0, n - j - 1 >= 0, k >= 0, 63 - k >= 0)>
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

// CHECK-LABEL: func.func @narrow(
// CHECK:         blocking <rows = {{[1-9]}}{{[0-9]*}}, vectors = {{[1-9]}}, lanes = 8, depth = {{[1-9]}}
// LARGE-LABEL: func.func @narrow(
// LARGE:         blocking <rows = 64, vectors = 16, lanes = 8, depth = 100000, row_block = {{64|128|192|256|320|384|448|512|576|640|1024}}, column_block =
func.func @narrow(%n: index, %C: memref<?x?xf32> {llvm.noalias}, %A: memref<?x?xf32> {llvm.noalias},
                 %B: memref<?x?xf32> {llvm.noalias}) {
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, n - j - 1 >= 0, k >= 0, n - k - 1 >= 0)>
    with (%n) updates (%C : memref<?x?xf32>) takes (%A, %B : memref<?x?xf32>, memref<?x?xf32>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f32, %p: f32, %q: f32):
    %t = arith.mulf %p, %q : f32
    %y = arith.addf %x, %t : f32
    contract.yield %y : f32
  }
  func.return
}
