// An atomic access of LLVM's dialect is refused, not made a plain one.
// RUN: not polyopt-opt %s -t polyopt-llvm 2>&1 | filecheck %s

// CHECK: 'llvm.store': the LLVM back end has no atomic accesses of this dialect
func.func @counted(%p: !llvm.ptr, %x: i64) {
  "llvm.store"(%x, %p) <{ordering = 2 : i64, alignment = 8 : i64}> : (i64, !llvm.ptr) -> ()
  func.return
}
