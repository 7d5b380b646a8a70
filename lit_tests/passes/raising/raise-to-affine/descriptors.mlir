// Pointers that become memrefs of fixed sizes by descriptors are memrefs that the function takes: compilers of Fortran write so.
// Pointers that are something else, too, or whose memrefs begin elsewhere or have sizes of the run, stay as they are.
// RUN: polyopt-opt %s -p raise-to-affine | filecheck %s
builtin.module {
  // CHECK: func.func @halves(%p: memref<8xf64>, %q: memref<8xf64>) {
  // CHECK-NOT: llvm
  // CHECK: affine.load %p[%i] : memref<8xf64>
  // CHECK: affine.store {{.*}}, %q[%i] : memref<8xf64>
  func.func @halves(%p : !llvm.ptr, %q : !llvm.ptr) {
    %none = "llvm.mlir.undef"() : () -> !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
    %zero = arith.constant 0 : i64
    %size = arith.constant 8 : i64
    %begun = "llvm.insertvalue"(%none, %zero) <{"position" = array<i64: 2>}> : (!llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, i64) -> !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
    %sized = "llvm.insertvalue"(%begun, %size) <{"position" = array<i64: 3, 0>}> : (!llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, i64) -> !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
    %p0 = "llvm.insertvalue"(%sized, %p) <{"position" = array<i64: 0>}> : (!llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, !llvm.ptr) -> !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
    %p1 = "llvm.insertvalue"(%p0, %p) <{"position" = array<i64: 1>}> : (!llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, !llvm.ptr) -> !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
    %q0 = "llvm.insertvalue"(%sized, %q) <{"position" = array<i64: 0>}> : (!llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, !llvm.ptr) -> !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
    %q1 = "llvm.insertvalue"(%q0, %q) <{"position" = array<i64: 1>}> : (!llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, !llvm.ptr) -> !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
    %a = builtin.unrealized_conversion_cast %p1 : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)> to memref<8xf64>
    %b = builtin.unrealized_conversion_cast %q1 : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)> to memref<8xf64>
    %half = arith.constant 0.5 : f64
    affine.for %i = 0 to 8 {
      %x = affine.load %a[%i] : memref<8xf64>
      %y = arith.mulf %x, %half : f64
      affine.store %y, %b[%i] : memref<8xf64>
    }
    func.return
  }

  // CHECK: func.func @handed_on(%p: !llvm.ptr) -> !llvm.ptr {
  // CHECK: builtin.unrealized_conversion_cast {{.*}} to memref<8xf64>
  func.func @handed_on(%p : !llvm.ptr) -> !llvm.ptr {
    %none = "llvm.mlir.undef"() : () -> !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
    %zero = arith.constant 0 : i64
    %begun = "llvm.insertvalue"(%none, %zero) <{"position" = array<i64: 2>}> : (!llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, i64) -> !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
    %p1 = "llvm.insertvalue"(%begun, %p) <{"position" = array<i64: 1>}> : (!llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, !llvm.ptr) -> !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
    %a = builtin.unrealized_conversion_cast %p1 : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)> to memref<8xf64>
    %one = arith.constant 1.0 : f64
    affine.store %one, %a[0] : memref<8xf64>
    func.return %p : !llvm.ptr
  }

  // CHECK: func.func @begins_elsewhere(%p: !llvm.ptr) {
  func.func @begins_elsewhere(%p : !llvm.ptr) {
    %none = "llvm.mlir.undef"() : () -> !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
    %four = arith.constant 4 : i64
    %begun = "llvm.insertvalue"(%none, %four) <{"position" = array<i64: 2>}> : (!llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, i64) -> !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
    %p1 = "llvm.insertvalue"(%begun, %p) <{"position" = array<i64: 1>}> : (!llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, !llvm.ptr) -> !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
    %a = builtin.unrealized_conversion_cast %p1 : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)> to memref<8xf64>
    %one = arith.constant 1.0 : f64
    affine.store %one, %a[0] : memref<8xf64>
    func.return
  }
}
