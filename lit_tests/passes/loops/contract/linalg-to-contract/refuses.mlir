// What is no sum of products over rows and columns stays with `linalg`: a sum of one operand, a product of a
// matrix with a vector; and so do tensors, which lie in no memory yet.
// RUN: polyopt-opt %s -p 'linalg-to-contract' | filecheck %s

func.func @sums(%C: memref<32xf64>, %A: memref<32x32xf64>) {
  linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%A : memref<32x32xf64>) outs(%C : memref<32xf64>) {
  ^bb0(%a: f64, %c: f64):
    %s = arith.addf %a, %c : f64
    linalg.yield %s : f64
  }
  func.return
}

// CHECK-LABEL: func.func @sums(
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%A : memref<32x32xf64>) outs(%C : memref<32xf64>) {
// CHECK-NEXT:    ^bb0(%a: f64, %c: f64):
// CHECK-NEXT:      %s = arith.addf %a, %c : f64
// CHECK-NEXT:      linalg.yield %s : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

func.func @vector(%C: memref<32xf64>, %A: memref<32x32xf64>, %B: memref<32xf64>) {
  linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%A, %B : memref<32x32xf64>, memref<32xf64>) outs(%C : memref<32xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64):
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %p, %c : f64
    linalg.yield %s : f64
  }
  func.return
}

// CHECK-LABEL: func.func @vector(
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%A, %B : memref<32x32xf64>, memref<32xf64>) outs(%C : memref<32xf64>) {
// CHECK-NEXT:    ^bb0(%a: f64, %b: f64, %c: f64):
// CHECK-NEXT:      %p = arith.mulf %a, %b : f64
// CHECK-NEXT:      %s = arith.addf %p, %c : f64
// CHECK-NEXT:      linalg.yield %s : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

func.func @tensors(%C: tensor<32x32xf64>, %A: tensor<32x32xf64>, %B: tensor<32x32xf64>) -> tensor<32x32xf64> {
  %r = linalg.matmul ins(%A, %B : tensor<32x32xf64>, tensor<32x32xf64>) outs(%C : tensor<32x32xf64>) -> tensor<32x32xf64>
  func.return %r : tensor<32x32xf64>
}

// CHECK-LABEL: func.func @tensors(
// CHECK-NEXT:    %r = linalg.matmul ins(%A, %B : tensor<32x32xf64>, tensor<32x32xf64>) outs(%C : tensor<32x32xf64>) -> tensor<32x32xf64>
// CHECK-NEXT:    func.return %r : tensor<32x32xf64>
