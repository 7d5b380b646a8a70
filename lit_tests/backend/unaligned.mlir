// An access that is aligned less than its type says so; a barrier, instructions and a trap are the machine's.
// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s

func.func @at(%p : !llvm.ptr) -> f64 {
  %V = cmem.view %p [] : memref<f64>
  %x = cmem.unaligned_load %V[] align 1 : memref<f64>
  cmem.barrier
  cmem.instructions "mov $$1, \"%eax" clobbers ["eax"]
  cmem.unaligned_store %x, %V[] align 2 : memref<f64>
  func.return %x : f64
}
func.func @stop() {
  %f = cmem.frame_address
  %c = cmem.frame_address of caller
  cmem.trap
  func.return
}

// CHECK-LABEL: @at(
// CHECK:         %x = load double, ptr %p, align 1
// CHECK-NEXT:    call void asm sideeffect "", "~{memory}"()
// CHECK-NEXT:    call void asm sideeffect "mov $$1, \22%eax", "~{eax},~{memory},~{dirflag},~{fpsr},~{flags}"()
// CHECK-NEXT:    store double %x, ptr %p, align 2
// CHECK-LABEL: @stop(
// CHECK:         call ptr @llvm.frameaddress.p0(i32 0)
// CHECK:         call ptr @llvm.returnaddress(i32 0)
// CHECK:         call void @llvm.trap()
