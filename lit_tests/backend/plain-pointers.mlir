// What is behind a plain pointer is loaded and stored as it is said, and may be anything that others touch.
// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s

// CHECK-LABEL: @plain(
// CHECK:         %old = load double, ptr %p, align 4
// CHECK-NEXT:    store double %x, ptr %p
// CHECK-NEXT:    store volatile double %old, ptr %p, align 8
// CHECK-NEXT:    ret double %old
func.func @plain(%p: !llvm.ptr, %x: f64) -> f64 {
  %old = "llvm.load"(%p) <{ordering = 0 : i64, alignment = 4 : i64}> : (!llvm.ptr) -> f64
  "llvm.store"(%x, %p) <{ordering = 0 : i64}> : (f64, !llvm.ptr) -> ()
  "llvm.store"(%old, %p) <{ordering = 0 : i64, alignment = 8 : i64, volatile_}> : (f64, !llvm.ptr) -> ()
  func.return %old : f64
}
