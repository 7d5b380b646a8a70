// RUN: polyopt-opt %s -p 'affine-stage-tables{march="icelake-server"}' | filecheck %s

// Iterations that are known to be just enough need no second loop.
// CHECK-LABEL: func.func @enough
// CHECK:         %t_1 = memref.alloca() {alignment = 64 : i64} : memref<256xi8>
// CHECK-NOT:     affine.if
// CHECK:         affine.for %i = 0 to 192 {
// CHECK:         affine.for %k
// CHECK:         affine.for %{{.*}} = 0 to 192 {
// CHECK:           memref.load %t_1[
// CHECK-NOT:     memref.load
func.func @enough(%d: memref<?xi8> {llvm.noalias}, %s: memref<?xi8> {llvm.noalias},
                  %t: memref<?xi8> {llvm.noalias}) {
  affine.for %i = 0 to 192 {
    %b = affine.load %s[%i] : memref<?xi8>
    %w = arith.extui %b : i8 to i64
    %k = arith.index_cast %w : i64 to index
    %v = memref.load %t[%k] : memref<?xi8>
    affine.store %v, %d[%i] : memref<?xi8>
  }
  func.return
}

// Each row has a table of its own, which is brought in front of the row. Half of the row: the bound
// is a value.
// CHECK-LABEL: func.func @of_rows
// CHECK:         affine.for %r = 0 to %h {
// CHECK-NEXT:      %[[END:.*]] = affine.min
// CHECK-NEXT:      %t_1 = memref.alloca()
// CHECK-NEXT:      "affine.if"(%[[END]])
// CHECK:             affine.load %t[%r, %k]
// CHECK:             memref.load %t_1[
// CHECK:             memref.load %t[%r,
func.func @of_rows(%d: memref<?x512xi8> {llvm.noalias}, %s: memref<?x512xi8> {llvm.noalias},
                   %t: memref<?x512xi8> {llvm.noalias}, %h: index, %n: index) {
  affine.for %r = 0 to %h {
    affine.for %i = 0 to affine_map<(d0) -> (d0 floordiv 2)>(%n) {
      %b = affine.load %s[%r, %i] : memref<?x512xi8>
      %w = arith.extui %b : i8 to i64
      %k = arith.index_cast %w : i64 to index
      %v = memref.load %t[%r, %k] : memref<?x512xi8>
      affine.store %v, %d[%r, %i] : memref<?x512xi8>
    }
  }
  func.return
}

// Two places in one table are looked for together, those of two tables apart.
// CHECK-LABEL: func.func @two
// CHECK:         %t_1 = memref.alloca() {alignment = 64 : i64} : memref<256xi8>
// CHECK-NEXT:    %u_1 = memref.alloca() {alignment = 64 : i64} : memref<256xi8>
// CHECK:           affine.for %i
// CHECK:             %[[BOTH:.*]] = arith.minui %[[A:.*]], %[[B:.*]] : i8
// CHECK-NEXT:        affine.load
// CHECK-NEXT:        arith.minui %{{.*}}, %[[BOTH]] : i8
// CHECK:           affine.for %k
// CHECK:             affine.store %{{.*}}, %t_1[%k]
// CHECK:           affine.for
// CHECK:           affine.for %k
// CHECK:             affine.store %{{.*}}, %u_1[%
func.func @two(%d: memref<?xi8> {llvm.noalias}, %s: memref<?xi8> {llvm.noalias},
               %t: memref<?xi8> {llvm.noalias}, %u: memref<?xi8> {llvm.noalias}, %n: index) {
  affine.for %i = 0 to %n {
    %a = affine.load %s[%i] : memref<?xi8>
    %b = affine.load %s[%i + 1] : memref<?xi8>
    %wa = arith.extui %a : i8 to i64
    %ka = arith.index_cast %wa : i64 to index
    %wb = arith.extui %b : i8 to i64
    %kb = arith.index_cast %wb : i64 to index
    %v = memref.load %t[%ka] : memref<?xi8>
    %x = memref.load %t[%kb] : memref<?xi8>
    %y = memref.load %u[%ka] : memref<?xi8>
    %vx = arith.xori %v, %x : i8
    %z = arith.xori %vx, %y : i8
    affine.store %z, %d[%i] : memref<?xi8>
  }
  func.return
}
