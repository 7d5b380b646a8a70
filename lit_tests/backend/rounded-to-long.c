// lrint and its kin are one instruction, which rounds as the function does; of a loop LLVM makes
// vectors. Where the name says nothing, they are called. Of finite numbers the lower half of the
// result is computed alone.
// RUN: polyopt-cc -O2 --emit=llvm %s | filecheck %s
// RUN: polyopt-cc -O2 -fno-builtin-lrintf --emit=llvm %s | filecheck %s --check-prefix=CALLED
// RUN: polyopt-cc -O2 -ffast-math --emit=llvm %s | filecheck %s --check-prefix=HALF

long lrint(double);
long lrintf(float);
long long llrint(double);

// CHECK-LABEL: @rounded
// CHECK:         call i64 @llvm.lrint.i64.f32(float
// CHECK:         call i64 @llvm.lrint.i64.f64(double
// CHECK:         call i64 @llvm.llrint.i64.f64(double
// CALLED:        call i64 @lrintf(float
// CALLED:        call i64 @llvm.lrint.i64.f64(double
long rounded(float x, double y) { return lrintf(x) + lrint(y) + llrint(y); }

// CHECK-LABEL: @cut
// CHECK:         call i64 @llvm.lrint.i64.f32(float
// CHECK:         trunc i64
// HALF-LABEL:  @cut
// HALF:          fmul float {{.*}}, 0x3DF0000000000000
// HALF:          call float @llvm.roundeven.f32(float
// HALF:          fmul contract float {{.*}}, 0x41F0000000000000
// HALF:          fsub contract float
// HALF:          call i32 @llvm.lrint.i32.f32(float
int cut(float x) { return (int)lrintf(x); }
