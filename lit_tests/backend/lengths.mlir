// What counts the elements of arrays is not negative, and extended by zeros for them; as a subscript
// the same number has a sign. What only subscripts is extended once.
// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s

// CHECK-LABEL: @lengths(
// CHECK:         [[LENGTH:%\d+]] = zext i32 %n to i64
// CHECK:         [[SIGNED:%\w+]] = sext i32 %n to i64
// CHECK-NOT:     zext
// CHECK:         alloca double, i64 [[LENGTH]]
// CHECK:         mul nsw i64 [[SIGNED]], [[LENGTH]]
func.func @lengths(%p: !llvm.ptr, %n: i32, %k: i32) -> f64 {
  %size = arith.index_cast %n : i32 to index
  %at = arith.index_cast %k : i32 to index
  %row = memref.alloca(%size) : memref<?xf64>
  %A = cmem.view %p [%size] : memref<?x?xf64>
  %x = memref.load %A[%size, %at] : memref<?x?xf64>
  memref.store %x, %row[%at] : memref<?xf64>
  func.return %x : f64
}
