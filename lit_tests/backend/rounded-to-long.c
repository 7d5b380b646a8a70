// lrint and its kin are one instruction, which rounds as the function does; of a loop LLVM makes
// vectors. Where the name says nothing, they are called. Of finite numbers the lower half of the
// result is computed alone, and nothing is taken off before where the number is between bounds that
// `int` holds. Numbers that are made whole by rounding become integers by the same instruction.
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

float rintf(float);
double nearbyint(double);
float sinf(float);
float fminf(float, float);

// HALF-LABEL:  @clamped
// HALF-NOT:      roundeven
// HALF:          call i32 @llvm.lrint.i32.f32(float
signed char clamped(float x)
{
    if (x < -128.0f)
        x = -128.0f;
    if (x > 127.0f)
        x = 127.0f;
    return (signed char)lrintf(x);
}

// HALF-LABEL:  @wave
// HALF-NOT:      roundeven
// HALF:          call i32 @llvm.lrint.i32.f32(float
short wave(float x, unsigned char y) { return (short)lrintf(3e4f * sinf(x) - y); }

// One side alone says nothing, and so does a bound that `int` does not hold.
// HALF-LABEL:  @least
// HALF:          call float @llvm.roundeven.f32(float
short least(float x) { return (short)lrintf(fminf(x, 9.0f)); }

// HALF-LABEL:  @beyond
// HALF:          call float @llvm.roundeven.f32(float
short beyond(float x)
{
    if (x < 0.0f)
        x = 0.0f;
    if (x > 3e9f)
        x = 3e9f;
    return (short)lrintf(x);
}

// What is stored behind the comparison is another number.
// HALF-LABEL:  @stored_since
// HALF:          call float @llvm.roundeven.f32(float
short stored_since(float x, float y)
{
    if (x < 0.0f)
        x = y;
    if (x > 9.0f)
        x = 9.0f;
    return (short)lrintf(x);
}

// CHECK-LABEL: @whole
// CHECK-DAG:     call i32 @llvm.lrint.i32.f32(float
// CHECK-DAG:     call i64 @llvm.lrint.i64.f64(double
long whole(float x, double y) { return (signed char)rintf(x) + (long)nearbyint(y); }
