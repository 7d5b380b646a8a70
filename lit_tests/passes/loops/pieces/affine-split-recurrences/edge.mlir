// What is read of a later element, and written over afterwards, is read ahead; what a later iteration
// takes of what was stored ahead is taken behind it, and loads that no store meets are done again.
// RUN: polyopt-opt %s -p 'affine-split-recurrences{march="x86-64-v3" strip=64}' | filecheck %s
builtin.module {
  func.func @ahead(%n: index, %x: memref<?xi32> {llvm.noalias}, %y: memref<?xi32> {llvm.noalias}, %z: memref<?xi32> {llvm.noalias}) {
    affine.for %i = 1 to %n {
      %a = affine.load %x[%i + 1] : memref<?xi32>
      %b = affine.load %z[%i] : memref<?xi32>
      %c = arith.muli %a, %b : i32
      %d = arith.xori %c, %a : i32
      %e = arith.muli %d, %c : i32
      %f = arith.xori %e, %d : i32
      %g = arith.muli %f, %e : i32
      %h = arith.xori %g, %f : i32
      %j = arith.muli %h, %g : i32
      %k = arith.xori %j, %h : i32
      %l = arith.muli %k, %j : i32
      %m = arith.xori %l, %k : i32
      %o = arith.muli %m, %l : i32
      %s = arith.xori %o, %m : i32
      %t = arith.muli %s, %o : i32
      %u = arith.xori %t, %s : i32
      %v = arith.muli %u, %t : i32
      %w = arith.xori %v, %u : i32
      %p = affine.load %y[%i + -1] : memref<?xi32>
      %q = arith.andi %p, %b : i32
      %r = arith.xori %q, %w : i32
      affine.store %r, %y[%i] : memref<?xi32>
      affine.store %r, %x[%i] : memref<?xi32>
    }
    func.return
  }
}

// CHECK-LABEL: func.func @ahead
// CHECK:         %[[T:.*]] = memref.alloca() {alignment = 64 : i64} : memref<64xi32>
// CHECK:         affine.for %[[S:.*]] = 1 to {{.*}} step 64 {
// CHECK-NEXT:      affine.for
// CHECK-NEXT:        affine.load %x
// CHECK-NEXT:        affine.load %z
// CHECK-COUNT-8:     arith.muli
// CHECK:             arith.xori
// CHECK-NEXT:        affine.store %{{.*}}, %[[T]]
// CHECK-NEXT:      } {poly.loop = #poly.loop<parallel>}
// CHECK-NEXT:      affine.for
// CHECK-NEXT:        affine.load %z
// CHECK-NEXT:        affine.load %y
// CHECK-NEXT:        arith.andi
// CHECK-NEXT:        affine.load %[[T]]
// CHECK-NEXT:        arith.xori
// CHECK-NEXT:        affine.store %{{.*}}, %y
// CHECK-NEXT:        affine.store %{{.*}}, %x
