// Operations of polyopt's own are no facts: the first one is named, with its place.
// RUN: not polyopt-opt %s -p forget-facts 2>&1 | filecheck %s

func.func @where(%x: memref<?xf64>, %i: index) -> index {
  %behind = pvec.misalignment %x[%i] of 8 : memref<?xf64>
  func.return %behind : index
}

// CHECK: refuses.mlir:5:{{[0-9]+}}: error: 'pvec.misalignment' is polyopt's own: no other MLIR has such an operation
// CHECK: hint: a level before it
