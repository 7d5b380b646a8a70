// The SCoPs that a script names are those that are there before its first step: of `first` there are two behind that, of which
// one has no buffers.
// RUN: printf 'scop two:1\nlocalize S0.i A\nscop two:2\nstrip S0.k 4\nscop two:1\nreverse S0.j\n' > %t.steps
// RUN: polyopt-cc -O3 -march=x86-64-v3 --schedule=%t.steps --emit=schedule %s | filecheck %s

void between(void);

void two(int n, int m, double A[restrict 100][m], double s[restrict 100], double t[restrict 100])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s[j] += A[i][j] * A[i][0];
    between();
    for (int k = 0; k < n; k++)
        t[k] = 3 * t[k];
}

// CHECK:        scf.if
// CHECK:          poly.scop "two" {{.*}}S0[i, j] -> [(-j)]
// CHECK:          poly.stmt "A_in"
// CHECK:        } else {
// CHECK-NEXT:     poly.scop "two" {{.*}}S0[i, j] -> [(i)]
// CHECK-NOT:      poly.stmt "A_in"
// CHECK:        poly.scop "two_1" {{.*}}S0[k] -> [(k - (k) mod 4)]
