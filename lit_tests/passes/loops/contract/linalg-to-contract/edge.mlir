// At the edges: one row, no depth, products of integers, and a product as large as the least that
// is packed in each direction but not on average.
// RUN: polyopt-opt %s -p 'linalg-to-contract' | filecheck %s

// A row is below the smallest.
func.func @one_row(%C: memref<1x24xf32>, %A: memref<1x16xf32>, %B: memref<16x24xf32>) {
  linalg.matmul ins(%A, %B : memref<1x16xf32>, memref<16x24xf32>) outs(%C : memref<1x24xf32>)
  func.return
}

// CHECK-LABEL: func.func @one_row(
// CHECK-NEXT:    linalg.matmul ins(%A, %B : memref<1x16xf32>, memref<16x24xf32>) outs(%C : memref<1x24xf32>)
// CHECK-NEXT:    func.return

// Nothing is added: there is nothing to pack.
func.func @no_depth(%C: memref<16x24xf32>, %A: memref<16x0xf32>, %B: memref<0x24xf32>) {
  linalg.matmul ins(%A, %B : memref<16x0xf32>, memref<0x24xf32>) outs(%C : memref<16x24xf32>)
  func.return
}

// CHECK-LABEL: func.func @no_depth(
// CHECK-NEXT:    linalg.matmul ins(%A, %B : memref<16x0xf32>, memref<0x24xf32>) outs(%C : memref<16x24xf32>)
// CHECK-NEXT:    func.return

func.func @integers(%C: memref<32x32xi32>, %A: memref<32x32xi32>, %B: memref<32x32xi32>) {
  linalg.matmul ins(%A, %B : memref<32x32xi32>, memref<32x32xi32>) outs(%C : memref<32x32xi32>)
  func.return
}

// CHECK-LABEL: func.func @integers(
// CHECK-NEXT:    contract.nest ["rows", "columns", "depth"] in affine_set<(d0, d1, d2) : (d0 >= 0, ((d0 * -1) + 31) >= 0, d1 >= 0, ((d1 * -1) + 31) >= 0, d2 >= 0, ((d2 * -1) + 31) >= 0)> with() updates(%C : memref<32x32xi32>) takes(%A, %B : memref<32x32xi32>, memref<32x32xi32>) at [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>] {
// CHECK-NEXT:    ^bb0([[V0:%\d+]]: index, [[V1:%\d+]]: index, [[V2:%\d+]]: index, [[V3:%\d+]]: i32, [[V4:%\d+]]: i32, [[V5:%\d+]]: i32):
// CHECK-NEXT:      [[V6:%\d+]] = arith.muli [[V4]], [[V5]] : i32
// CHECK-NEXT:      [[V7:%\d+]] = arith.addi [[V6]], [[V3]] : i32
// CHECK-NEXT:      contract.yield [[V7]] : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// 8 + 8 + 8 are less than six times eight.
func.func @just_large(%C: memref<8x8xf64>, %A: memref<8x8xf64>, %B: memref<8x8xf64>) {
  linalg.matmul ins(%A, %B : memref<8x8xf64>, memref<8x8xf64>) outs(%C : memref<8x8xf64>)
  func.return
}

// CHECK-LABEL: func.func @just_large(
// CHECK-NEXT:    linalg.matmul ins(%A, %B : memref<8x8xf64>, memref<8x8xf64>) outs(%C : memref<8x8xf64>)
// CHECK-NEXT:    func.return
