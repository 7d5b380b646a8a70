// Objects of a cache line or more start at one, so that vectors do not cross lines; in a library others
// may take the place of those that are visible, and the linker chooses among common ones: these have
// the alignment of the ABI's arrays. What is declared is as it was declared. Local arrays are placed so
// from eight lines on.
// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s
// RUN: polyopt-opt %s -t polyopt-llvm{pic=true} | filecheck %s --check-prefix=PIC

builtin.module {
  cmem.global "external" @small size 12 align 4
  cmem.global "external" @middle size 16 align 4
  cmem.global "external" @line size 64 align 4
  cmem.global "internal" @hidden size 400 align 8
  cmem.global "common" @shared size 400 align 8
  cmem.global "external" @page size 400 align 4096
  cmem.global "external" declaration @elsewhere size 400 align 4
  func.func @f() {
    %few = memref.alloca() : memref<15xi8>
    %some = memref.alloca() : memref<127xf32>
    %many = memref.alloca() : memref<8x16xf32>
    %asked = memref.alloca() {alignment = 32 : i64} : memref<8x16xf32>
    func.return
  }
}

// CHECK:      @small = dso_local global [12 x i8] zeroinitializer, align 4
// CHECK-NEXT: @middle = dso_local global [16 x i8] zeroinitializer, align 16
// CHECK-NEXT: @line = dso_local global [64 x i8] zeroinitializer, align 64
// CHECK-NEXT: @hidden = internal global [400 x i8] zeroinitializer, align 64
// CHECK-NEXT: @shared = common dso_local global [400 x i8] zeroinitializer, align 16
// CHECK-NEXT: @page = dso_local global [400 x i8] zeroinitializer, align 4096
// CHECK-NEXT: @elsewhere = external global [400 x i8], align 4
// CHECK:      %few = alloca [15 x i8], align 1
// CHECK-NEXT: %some = alloca [127 x float], align 16
// CHECK-NEXT: %many = alloca [8 x [16 x float]], align 64
// CHECK-NEXT: %asked = alloca [8 x [16 x float]], align 32

// PIC:        @middle = global [16 x i8] zeroinitializer, align 16
// PIC-NEXT:   @line = global [64 x i8] zeroinitializer, align 16
// PIC-NEXT:   @hidden = internal global [400 x i8] zeroinitializer, align 64
// PIC-NEXT:   @shared = common global [400 x i8] zeroinitializer, align 16
// PIC-NEXT:   @page = global [400 x i8] zeroinitializer, align 4096
