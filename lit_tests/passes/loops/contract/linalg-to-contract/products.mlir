// A matmul of known sizes is a contraction; where sizes are not known, a test chooses between it and
// plain loops. A product that is small,or no product at all, stays for others.
// RUN: polyopt-opt %s -p linalg-to-contract | filecheck %s

// CHECK-LABEL: func.func @matmul
// CHECK-NEXT:    contract.nest ["rows", "columns", "depth"] in affine_set<(d0, d1, d2) : (d0 >= 0, ((d0 * -1) + 31) >= 0, d1 >= 0, ((d1 * -1) + 23) >= 0, d2 >= 0, ((d2 * -1) + 15) >= 0)> with() updates(%C : memref<32x24xf32>) takes(%A, %B : memref<32x16xf32>, memref<16x24xf32>) at [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>] {
// CHECK-NOT:     linalg
func.func @matmul(%C: memref<32x24xf32>, %A: memref<32x16xf32>, %B: memref<16x24xf32>) {
  linalg.matmul ins(%A, %B : memref<32x16xf32>, memref<16x24xf32>) outs(%C : memref<32x24xf32>)
  func.return
}

// CHECK-LABEL: func.func @any_sizes
// CHECK:         [[N:%.*]] = memref.dim %A
// CHECK:         "affine.if"
// CHECK-NEXT:      contract.nest
// CHECK:         }, {
// CHECK-NEXT:      affine.for %{{.*}} = 0 to affine_map<(d0) -> (d0)>([[N]])
func.func @any_sizes(%C: memref<?x?xf32>, %A: memref<?x?xf32>, %B: memref<?x?xf32>) {
  linalg.matmul ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>) outs(%C : memref<?x?xf32>)
  func.return
}

// CHECK-LABEL: func.func @small
// CHECK-NEXT:    linalg.matmul
func.func @small(%C: memref<4x24xf32>, %A: memref<4x16xf32>, %B: memref<16x24xf32>) {
  linalg.matmul ins(%A, %B : memref<4x16xf32>, memref<16x24xf32>) outs(%C : memref<4x24xf32>)
  func.return
}

// CHECK-LABEL: func.func @elementwise
// CHECK-NEXT:    linalg.add
func.func @elementwise(%C: memref<32x24xf32>, %A: memref<32x24xf32>, %B: memref<32x24xf32>) {
  linalg.add ins(%A, %B : memref<32x24xf32>, memref<32x24xf32>) outs(%C : memref<32x24xf32>)
  func.return
}
