// RUN: polyopt-cc -O2 -march=x86-64-v4 --skip-pass=peel-doublings --emit=poly -o - %s | filecheck %s
// RUN: polyopt-cc -O2 -march=x86-64-v4 --skip-pass=peel-doublings --remarks -c -o %t.o %s 2>&1 | filecheck %s --check-prefix=SAID

// Loops that run over and over are weighed for short runs, too: each as often as it comes up where the
// span is doubled or halved around them, else one like the other. What stays does so for long runs.

// Of len iterations n / len / 2 times: the shortest runs decide, and they are better as written.
// CHECK-LABEL: func.func @butterflies
// CHECK:         poly.pays "butterflies" params({{.*}}) {unwrapped, expected
// CHECK-SAME:      span = affine_map<(d0, d1) -> (d1)>
// CHECK-SAME:      shorter = array<i64: {{[0-9]+}}, 2, {{[0-9]+}}, 4, {{[0-9]+}}, 8,
// CHECK-SAME:      shares = array<f64: 5.000000e-01, 2.500000e-01, 1.250000e-01, 6.250000e-02, 3.125000e-02, 1.562500e-02, 1.000000e-03>
// SAID:          short-runs.c:18:{{.*}} the code stays as it was written{{.*}} but most runs are short
void butterflies(int *v, unsigned n)
{
    for (unsigned len = 1; len < n; len <<= 1)
        for (unsigned i = 0; i < n; i += len << 1)
            for (unsigned j = i; j < i + len; ++j) {
                int x = v[j], y = v[j + len];
                v[j] = x + y;
                v[j + len] = x - y;
            }
}

// Each length once.
// CHECK-LABEL: func.func @levels
// CHECK:         poly.pays "levels" params({{.*}}) {expected
// CHECK-SAME:      shares = array<f64: 1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00>
void levels(int n, float *restrict a, float *restrict b)
{
    for (; n > 1; n /= 2)
        for (int i = 0; i < n; i++)
            b[i] += a[i];
}

// Rows of which there are half as many when they are twice as long: the shorter ones are more.
// CHECK-LABEL: func.func @stages
// CHECK:         poly.pays "stages" params({{.*}}) {expected
// CHECK-SAME:      span = affine_map<(d0, d1) -> (d1)>
// CHECK-SAME:      shorter = array<i64: 1000, 2, 1000, 4, 1000, 8,
// CHECK-SAME:      shares = array<f64: 5.000000e-01, 2.500000e-01, 1.250000e-01, 6.250000e-02, 3.125000e-02, 1.562500e-02, 1.000000e-03>
void stages(int n, double *restrict x, double *restrict y)
{
    int s = 1;
    for (int m = n / 2; m > 0; m /= 2) {
        for (int p = 0; p < m; p++)
            for (int q = 0; q < s; q++) {
                y[q + s * 2 * p] = x[q + s * p] + x[q + s * (p + m)];
                y[q + s * (2 * p + 1)] = x[q + s * p] - x[q + s * (p + m)];
            }
        s *= 2;
    }
}

// As many rows each time, which are twice as long.
// CHECK-LABEL: func.func @wider
// CHECK:         poly.pays "wider" params({{.*}}) {expected
// CHECK-SAME:      shares = array<f64: 1.000000e+00, 1.000000e+00,
void wider(int rows, int n, double *restrict x, double *restrict y)
{
    for (int s = 1; s < n; s *= 2)
        for (int p = 0; p < rows; p++)
            for (int q = 0; q < s; q++)
                y[q + s * p] += x[q + s * p] * x[q + s * (p + rows)];
}

// Of a nest that runs again for no such reason long rows are expected.
// CHECK-LABEL: func.func @again
// CHECK:         poly.pays "again" params({{.*}}) {expected
// CHECK-NOT:     span
// CHECK-LABEL: func.func @ragged
void again(int times, int rows, int n, double *restrict x, double *restrict y)
{
    for (int t = 1; t < times; t += t / 3 + 1)
        for (int p = 0; p < rows; p++)
            for (int q = 0; q < n; q++)
                y[q + n * p] += x[q + n * p] * x[q + n * (p + t)];
}

// Nothing is known of rows in a list, and sums up to each place have no vectors as they are written.
// CHECK:         poly.pays "ragged" params({{.*}}) {expected
// CHECK-SAME:      shorter_source = array<f64: {{[^=]*}}>}
// SAID:          short-runs.c:89:{{.*}} is kept
// SAID:          where the innermost loop goes less far than {{[0-9]+}}, the code runs as it was written
void ragged(int n, const int *start, const int *x, int *restrict y)
{
    for (int r = 0; r < n; r++) {
        int s = 0;
        for (int i = start[r]; i < start[r + 1]; i++) {
            s += x[i];
            y[i] = s;
        }
    }
}

// What runs once is weighed once.
// CHECK-LABEL: func.func @once
// CHECK:         poly.pays "once" params({{.*}}) {expected = array<i64: {{[0-9]+}}>, source = array<f64: {{[^=]*}}>}
void once(int n, const int *x, int *restrict y)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += x[i];
        y[i] = s;
    }
}

// A function that another one calls in a loop runs as often.
// CHECK-LABEL: func.func @called
// CHECK:         poly.pays "called" params({{.*}}) {expected
// CHECK-SAME:      shorter
__attribute__((noinline)) void called(int n, const int *x, int *restrict y)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += x[i];
        y[i] = s;
    }
}

void caller(int rows, int n, const int *x, int *y)
{
    for (int r = 0; r < rows; r++)
        called(n, x + r * n, y + r * n);
}
