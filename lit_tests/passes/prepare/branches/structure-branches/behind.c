// What comes behind the place where the ways of a branch on data meet is not decided by data: a
// branch on counters there still splits the iterations. In an arm it would be one around the other.
// RUN: polyopt-cc --emit=prepared -O3 %s | filecheck %s

// CHECK-LABEL: func.func @behind
// CHECK-COUNT-1: scf.if
// CHECK-NOT:     scf.if
// CHECK:         func.return
void behind(int n, double *restrict a, double *restrict b, double *restrict c)
{
    for (int j = 0; j < n; j++) {
        if (a[j] > 0)
            b[j] = a[j] * 2;
        if (j > 3) {
            c[j] = 0;
            if (j + 1 < n)
                c[j] = a[j] + c[j + 1];
        }
    }
}

// CHECK-LABEL: func.func @in_an_arm
// CHECK-COUNT-2: scf.if
// CHECK:         func.return
void in_an_arm(int n, double *restrict a, double *restrict b, double *restrict c)
{
    for (int j = 0; j < n; j++) {
        if (a[j] > 0) {
            if (j + 1 >= n)
                c[j] = 0;
            else
                b[j] = a[j] + c[j + 1];
        }
    }
}
