// A promise about what another promise gave; of memrefs that nobody uses; a module that has nothing to forget.
// RUN: polyopt-opt %s -p forget-facts,forget-facts | filecheck %s

func.func @twice(%x: memref<4xf64>, %y: memref<4xf64>, %v: f64, %i: index) {
  %a, %b = cmem.distinct_objects %x, %y : memref<4xf64>, memref<4xf64> -> memref<4xf64>, memref<4xf64>
  %c, %d = cmem.distinct_objects %b, %a : memref<4xf64>, memref<4xf64> -> memref<4xf64>, memref<4xf64>
  memref.store %v, %c[%i] : memref<4xf64>
  func.return
}

// CHECK-LABEL: func.func @twice
// CHECK-NEXT:    memref.store %v, %y[%i] : memref<4xf64>
// CHECK-NEXT:    func.return
