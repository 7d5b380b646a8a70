// RUN: polyopt-opt %s -p known-arguments | filecheck %s

// Where a number that all calls of this file pass to a public function is multiplied in a condition,
// the calls get a private copy that knows it. Not where it is only a size, where the calls differ,
// where the function may be replaced or calls itself.

// CHECK-LABEL: func.func @padded(
// CHECK-NOT:     arith.constant 2 : i32
// CHECK-LABEL: func.func private @padded.known(
// CHECK:         arith.constant 2 : i32
void padded(int n, int m, int stride, const float *in, float *out)
{
    for (int o = 0; o < m; o++)
        for (int k = 0; k < 3; k++) {
            int i = o * stride + k - 1;
            if (i < 0 || i >= n)
                continue;
            out[o] += in[i];
        }
}

// CHECK-LABEL: func.func @rows(
// CHECK-NOT:   @rows.known
void rows(int n, float *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] += 1.0f;
}

// CHECK-LABEL: func.func @strided(
// CHECK-NOT:   @strided.known
void strided(int n, int stride, float *a)
{
    for (int i = 0; i < n; i++)
        if (i * stride < n)
            a[i * stride] = 0.0f;
}

// CHECK-LABEL: func.func @replaced(
// CHECK-NOT:   @replaced.known
__attribute__((weak)) void replaced(int n, int stride, float *a)
{
    for (int i = 0; i * stride < n; i++)
        a[i * stride] = 0.0f;
}

// CHECK-LABEL: func.func @again(
// CHECK-NOT:   @again.known
void again(int n, int stride, float *a)
{
    for (int i = 0; i * stride < n; i++)
        a[i * stride] = 0.0f;
    if (n > 1)
        again(n / 2, 2, a);
}

// CHECK-LABEL: func.func @calls(
// CHECK:         func.call @padded.known(
// CHECK:         func.call @padded.known(
// CHECK:         func.call @rows(
// CHECK:         func.call @strided(
// CHECK:         func.call @strided(
// CHECK:         func.call @replaced(
// CHECK:         func.call @again(
void calls(int n, const float *in, float *out)
{
    padded(n, n / 2, 2, in, out);
    padded(30, 15, 2, in, out);
    rows(20, out);
    strided(20, 2, out);
    strided(20, 3, out);
    replaced(20, 2, out);
    again(20, 2, out);
}
