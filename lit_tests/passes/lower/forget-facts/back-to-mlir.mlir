// What only polyopt reads goes: marks of loops, roundings, the promise that memrefs are apart, the level.
// RUN: polyopt-opt %s -p forget-facts | filecheck %s
// RUN: polyopt-opt %s -p forget-facts --print-op-generic | filecheck %s --check-prefix=OURS

builtin.module attributes {polyopt.level = "affine"} {
  func.func @scale(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) attributes {note = "kept"} {
    %a, %b = cmem.distinct_objects %x, %y : memref<?xf64>, memref<?xf64> -> memref<?xf64>, memref<?xf64>
    affine.for %i = 0 to %n {
      %v = affine.load %a[%i] : memref<?xf64>
      %w = arith.addf %v, %v {poly.rounding = #poly.rounding<unfused>} : f64
      affine.store %w, %b[%i] : memref<?xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "i">, mine = 1 : i32}
    func.return
  }
}

// CHECK:      builtin.module {
// CHECK-NEXT:   func.func @scale(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) attributes {note = "kept"} {
// CHECK-NEXT:     affine.for %i = 0 to %n {
// CHECK-NEXT:       %v = affine.load %x[%i] : memref<?xf64>
// CHECK-NEXT:       %w = arith.addf %v, %v : f64
// CHECK-NEXT:       affine.store %w, %y[%i] : memref<?xf64>
// CHECK-NEXT:     } {mine = 1 : i32}

// OURS-NOT: {{polyopt|poly\.|cmem\.}}
// OURS:     "func.return"
