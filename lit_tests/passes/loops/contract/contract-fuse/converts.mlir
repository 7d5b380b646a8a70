// What takes a result may have elements of another type: the body is on the contraction's element and
// makes the array's, and what is written is a module that can be read and verified again.
// RUN: polyopt-opt %s -p contract-fuse | polyopt-opt | filecheck %s

// CHECK-LABEL: func.func @narrower
// CHECK:           contract.finish %x : i32 to %Y at
// CHECK-NEXT:      ^bb0([[S:%.*]]: i32):
// CHECK-NEXT:        [[W:%.*]] = arith.extsi [[S]] : i32 to i64
// CHECK-NEXT:        [[T:%.*]] = arith.trunci [[W]] : i64 to i8
// CHECK-NEXT:        contract.yield [[T]] : i8
func.func @narrower(%n: index, %C: memref<?x?xi32> {llvm.noalias}, %A: memref<?x?xi32> {llvm.noalias},
                    %B: memref<?x?xi32> {llvm.noalias}, %Y: memref<?x?xi8> {llvm.noalias}) {
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, n - j - 1 >= 0, k >= 0, 63 - k >= 0)>
    with (%n) updates (%C : memref<?x?xi32>) takes (%A, %B : memref<?x?xi32>, memref<?x?xi32>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: i32, %p: i32, %q: i32):
    %t = arith.muli %p, %q : i32
    %y = arith.addi %x, %t : i32
    contract.yield %y : i32
  }
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %s = affine.load %C[%i, %j] : memref<?x?xi32>
      %w = arith.extsi %s : i32 to i64
      %t = arith.trunci %w : i64 to i8
      affine.store %t, %Y[%i, %j] : memref<?x?xi8>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @wider
// CHECK:           contract.finish %x : f32 to %Y at
// CHECK-NEXT:      ^bb0([[S:%.*]]: f32):
// CHECK-NEXT:        [[W:%.*]] = arith.extf [[S]] : f32 to f64
// CHECK-NEXT:        contract.yield [[W]] : f64
func.func @wider(%n: index, %C: memref<?x?xf32> {llvm.noalias}, %A: memref<?x?xf32> {llvm.noalias},
                 %B: memref<?x?xf32> {llvm.noalias}, %Y: memref<?x?xf64> {llvm.noalias}) {
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, n - j - 1 >= 0, k >= 0, 63 - k >= 0)>
    with (%n) updates (%C : memref<?x?xf32>) takes (%A, %B : memref<?x?xf32>, memref<?x?xf32>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f32, %p: f32, %q: f32):
    %t = arith.mulf %p, %q : f32
    %y = arith.addf %x, %t : f32
    contract.yield %y : f32
  }
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %s = affine.load %C[%i, %j] : memref<?x?xf32>
      %w = arith.extf %s : f32 to f64
      affine.store %w, %Y[%i, %j] : memref<?x?xf64>
    }
  }
  func.return
}
