// SWIM's loops after a translation from Fortran: the inner loop walks down the columns.
// The matrix scheduler interchanges them; j is then the inner loop, and neither loop carries a
// dependence.
// RUN: polyopt-cc -O3 --poly=matrix --emit=affine %s | filecheck %s

void calc1(int n, double cu[restrict 300][300], double u[restrict 300][300],
           double p[restrict 300][300]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      cu[i][j] = 0.5 * (p[i + 1][j] + p[i][j]) * u[i + 1][j];
}

// CHECK:      affine.for %i = 0 to %n
// CHECK-NEXT:   affine.for %j{{.*}} = 0 to %n
// CHECK-NOT:  affine.for
