// Steps that are known when the loop runs: where they are all one, lanes lie side by side, and what
// does not move is taken once.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"}' | filecheck %s

// double s = 0; for (long j = 0; j < n; j++) s += x[i * p] * w[i * p + j * q];
func.func @row(%i : index, %n : index, %p : i64, %q : i64, %X : memref<?xf64>, %W : memref<?xf64>) {
  %S = memref.alloca() : memref<f64>
  affine.for %j = 0 to %n {
    %p1 = arith.index_cast %p : i64 to index
    %first = arith.muli %p1, %i : index
    %x = memref.load %X[%first] : memref<?xf64>
    %q1 = arith.index_cast %q : i64 to index
    %step = arith.muli %q1, %j : index
    %at = arith.addi %first, %step : index
    %w = memref.load %W[%at] : memref<?xf64>
    %xw = arith.mulf %x, %w fastmath<fast> : f64
    %s = affine.load %S[] : memref<f64>
    %t = arith.addf %s, %xw fastmath<fast> : f64
    affine.store %t, %S[] : memref<f64>
  } {poly.loop = #poly.loop<reduces = ["S"], iterator = "j">}
  func.return
}

// CHECK-LABEL: func.func @row
// CHECK:         [[Q:%.*]] = arith.index_cast %q : i64 to index
// CHECK:         "affine.if"([[Q]]) <{condition = affine_set<(d0) : ((d0 + -1) >= 0, ((d0 * -1) + 1) >= 0)>}>
// CHECK:           affine.for %v
// CHECK:             [[X:%.*]] = affine.load %X[
// CHECK-NEXT:        vector.broadcast [[X]] : f64 to vector<8xf64>
// CHECK:             pvec.read %W[{{.*}} + %v]
// CHECK-NOT:         pvec.gather
// CHECK:         }, {
// CHECK:           pvec.gather %W

// Nothing is gained where other elements lie anywhere, and a step that the loop computes is not known
// in front of it.
func.func @anywhere(%n : index, %q : index, %W : memref<?xf64>, %K : memref<?xi64>, %Y : memref<?xf64> {llvm.noalias}) {
  affine.for %j = 0 to %n {
    %step = arith.muli %q, %j : index
    %w = memref.load %W[%step] : memref<?xf64>
    %k = affine.load %K[%j] : memref<?xi64>
    %at = arith.index_cast %k : i64 to index
    %v = memref.load %W[%at] : memref<?xf64>
    %sum = arith.addf %v, %w : f64
    affine.store %sum, %Y[%j] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel, iterator = "j">}
  affine.for %j = 0 to %n {
    %k = affine.load %K[%j] : memref<?xi64>
    %c = arith.index_cast %k : i64 to index
    %step = arith.muli %c, %j : index
    %w = memref.load %W[%step] : memref<?xf64>
    %twice = arith.addf %w, %w : f64
    affine.store %twice, %Y[%j] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel, iterator = "j">}
  func.return
}

// CHECK-LABEL: func.func @anywhere
// CHECK-NOT:     ((d0 * -1) + 1) >= 0
// CHECK:         func.return

// What is read under a condition is not read once for all: no lane may want it.
func.func @under_a_condition(%n : index, %p : index, %X : memref<?xf64>, %Y : memref<?xf64> {llvm.noalias}) {
  affine.for %j = 0 to %n {
    %y = affine.load %Y[%j] : memref<?xf64>
    %zero = arith.constant 0.0 : f64
    %is = arith.cmpf ogt, %y, %zero : f64
    scf.if %is {
      %place = arith.muli %p, %p : index
      %x = memref.load %X[%place] : memref<?xf64>
      affine.store %x, %Y[%j] : memref<?xf64>
    }
  } {poly.loop = #poly.loop<parallel, iterator = "j">}
  func.return
}

// CHECK-LABEL: func.func @under_a_condition
// CHECK-NOT:     affine.load %X
// CHECK:         func.return
