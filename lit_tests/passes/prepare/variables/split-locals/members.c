// The members of a local struct become variables, and then values; a variable behind a pointer does;
// an object of which other code knows stays what it is, as does one with two readings of its bytes.
// RUN: polyopt-opt %s -p 'promote-scalars,split-locals' | filecheck %s

struct range { int low, high, step; double weight; };

void members(int n, double *a)
{
    struct range r = {1, n, 1, 0.5};
    for (int i = r.low; i < r.high; i += r.step)
        a[i] = a[i - 1] * r.weight;
}
// CHECK-LABEL: func.func @members(
// CHECK-NOT:     memref.alloca
// CHECK-NOT:     @memset(
// CHECK:         arith.cmpi slt, %{{.*}}, %n : i32
// CHECK:         func.return

void behind(int n, double *a)
{
    int m, *p = &m;
    *p = n;
    for (int i = 0; i < m; i++)
        a[i] = 0.0;
}
// CHECK-LABEL: func.func @behind(
// CHECK-NOT:     memref.alloca
// CHECK:         arith.cmpi slt, %{{.*}}, %n : i32

void known_elsewhere(void (*tell)(struct range *), double *a)
{
    struct range r;
    tell(&r);
    for (int i = r.low; i < r.high; i++)
        a[i] = 0.0;
}
// CHECK-LABEL: func.func @known_elsewhere(
// CHECK:         %r = memref.alloca() {alignment = 8 : i64} : memref<24xi8>

int two_readings(float f)
{
    union { float f; int i; } u;
    u.f = f;
    return u.i;
}
// CHECK-LABEL: func.func @two_readings(
// CHECK-NOT:     memref.alloca
// CHECK:         arith.bitcast %f : f32 to i32
