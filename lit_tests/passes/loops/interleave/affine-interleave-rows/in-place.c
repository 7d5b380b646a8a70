// Rows that are updated in place run together where they share a vector each, and not where they share less: from memory
// they come faster one behind the other.
// RUN: polyopt-cc -O3 -march=x86-64-v3 --remarks -c %s -o %t.o 2>&1 | filecheck %s

void one(int n, int m, double a[restrict n][m], const double *restrict f, const double *restrict r)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] += f[i] * r[j];
}

// CHECK-NOT: in-place.c:9:13: {{.*}}4 rows together
// CHECK:     in-place.c:18:13: applied: 4 rows together [affine-interleave-rows]
void two(int n, int m, double a[restrict n][m], const double *restrict f, const double *restrict g, const double *restrict r, const double *restrict s)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] += f[i] * r[j] + g[i] * s[j];
}
