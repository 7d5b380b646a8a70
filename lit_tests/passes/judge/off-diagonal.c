// RUN: polyopt-cc -O3 -march=x86-64-v3 --remarks -c %s -o %t.o 2>&1 | filecheck %s

// Two loops of the same length rarely count alike: what is done for i != k is done, and its memory is counted, though
// both are in the middle of their ranges in a typical iteration.
// CHECK:     off-diagonal.c:{{[0-9]+}}:{{.*}} what was made of the loops is kept: {{.*}} for memory) are expected of it, {{.*}} ({{[0-9,]+}}0,000,000 of them for memory) of the source's order
void eliminate(int n, double a[restrict n][n])
{
    for (int k = 0; k < n; k++) {
        double p = 1 / a[k][k];
        for (int i = 0; i < n; i++) {
            if (i == k)
                continue;
            double f = a[i][k] * p;
            for (int j = 0; j < n; j++)
                a[i][j] -= f * a[k][j];
        }
    }
}
