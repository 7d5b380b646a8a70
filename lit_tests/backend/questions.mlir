// Whether a value is one number is asked of LLVM, of each type by its name.
// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s

// CHECK-LABEL: @ask(
// CHECK:         call i1 @llvm.is.constant.i32(i32 %n)
// CHECK-NEXT:    call i1 @llvm.is.constant.f64(double %x)
// CHECK-NEXT:    call i1 @llvm.is.constant.p0(ptr %p)
func.func @ask(%n : i32, %x : f64, %p : !llvm.ptr) -> (i1, i1, i1) {
  %0 = cmem.is_constant %n : i32
  %1 = cmem.is_constant %x : f64
  %2 = cmem.is_constant %p : !llvm.ptr
  func.return %0, %1, %2 : i1, i1, i1
}
