// A row that is too short for what was made of the loop runs as it was written, and LLVM, which does
// not know how few iterations there are, makes neither vectors nor copies of them.
// RUN: polyopt-cc -O3 -ffast-math -march=x86-64-v4 --emit=scf %s -o - | filecheck %s
// RUN: polyopt-cc -O0 --run %s > %t.source
// RUN: polyopt-cc -O3 -march=x86-64-v3 --run %s > %t.made
// RUN: diff %t.source %t.made

#include <stdio.h>

enum { N = 300 };
static int rp[N + 1], ci[N * 12];
static double v[N * 12], d[N], b[N], x[N];

// CHECK-LABEL: func.func @solve(
// CHECK:         cf.br {{.*}} {cmem.progress, cmem.no_vector, cmem.no_unroll}
void solve(void)
{
    for (int i = 0; i < N; i++) {
        double s = b[i];
        for (int p = rp[i]; p < rp[i + 1]; p++)
            s -= v[p] * x[ci[p]];
        x[i] = s / d[i];
    }
}

// Where arrays may overlap, long rows come there, too.
// CHECK-LABEL: func.func @apart(
// CHECK-NOT:     cmem.no_unroll
// CHECK-LABEL: func.func @main(
void apart(int n, const int *r, const int *c, const double *w, const double *y, double *z)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = r[i]; p < r[i + 1]; p++)
            s += w[p] * y[c[p]];
        z[i] = s;
    }
}

int main(void)
{
    int k = 0;
    for (int i = 0; i < N; i++) {
        b[i] = i % 7, d[i] = 1 << i % 3;
        for (int z = 0; z < i % 13 && z < i; z++)
            ci[k] = (i * 7 + z * 3) % i, v[k++] = (z - 2) * 0.25;
        rp[i + 1] = k;
    }
    solve();
    apart(N, rp, ci, v, b, d);
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += (x[i] > 1e6 || x[i] < -1e6 ? 1 : x[i] * (i % 5)) + d[i];
    printf("%.3e\n", sum);
    return 0;
}
