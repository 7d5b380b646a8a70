// RUN: polyopt-cc -O3 --poly=identity --remarks=loops -c %s -o %t.o 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 --poly=identity --remarks=nests -c %s -o %t.o 2>&1 | filecheck %s --check-prefix NESTS

// One verdict for each loop of the source, in its order.

void sweep(int n, double a[restrict n][n])
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = a[i - 1][j];
}

// CHECK: remarks-loops.c:8:5: loop i: an iteration
// CHECK-NEXT: For example, line 10 at i = 2, j = 0 needs a[1][0], which line 10 at i = 1, j = 0 computes.
// CHECK-NEXT: remarks-loops.c:9:9: loop j: iterations are independent
// NESTS: applied: loops i, j: order of the source
