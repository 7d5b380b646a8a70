// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffp-contract=off --remarks -c -o %t.o %s 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffp-contract=off --skip-pass=poly-transpose --remarks -c -o %t.o %s 2>&1 | filecheck %s --check-prefix=OFF
// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffp-contract=off --run %s > %t.made
// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffp-contract=off --poly=none --run %s > %t.source
// RUN: diff %t.made %t.source

// A column of which each element is read with each row is a row while the loops run; so is a matrix
// through which one recurrence goes down the columns, where its rows lie a power of two apart. The
// bits are those of the source at all sizes, on both sides of the numbers that decide.

#include <stdio.h>

// OFF-NOT: [poly-transpose]
// CHECK-DAG: applied: P has its dimensions in the order 1, 0, copied in, where that takes at most 268435456 bytes, where its elements are used often enough [poly-transpose]
void column(int m, int n, double C[restrict][200], double P[restrict][n])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            C[i][j] = C[i][j] * 0.5 + P[j][3] * C[i][j] * C[i][j];
}

// CHECK-DAG: applied: B has its dimensions in the order 1, 0, copied in, where its elements are used often enough [poly-transpose]
void recurrence(int t, double sum[restrict], double A[restrict][256], double B[restrict][256])
{
    for (int s = 0; s < t; s++)
        for (int i = 0; i < 256; i++)
            for (int j = 0; j < 256; j++)
                sum[0] = sum[0] / 2 + A[i][j] * B[j][i];
}

static double A[256 * 256], B[256 * 256], C[200 * 200];

static void show(const char *name, const void *from, size_t bytes)
{
    unsigned long hash = 7;
    for (size_t i = 0; i < bytes; i++)
        hash = hash * 31 + ((const unsigned char *)from)[i];
    printf("%s %016lx\n", name, hash);
}

int main(void)
{
    int sizes[] = {0, 1, 4, 5, 31, 32, 33, 130};
    for (int i = 0; i < 256 * 256; i++)
        A[i] = (i % 17) / 7.0 - 1, B[i] = (i % 31) / 9.0 - 1;
    for (int one = 0; one < 8; one++)
        for (int other = 2; other < 8; other++) {
            for (int i = 0; i < 200 * 200; i++)
                C[i] = (i % 23) / 11.0 - 1;
            column(sizes[one], sizes[other], (void *)C, (void *)A);
            show("C", C, sizeof C);
        }
    for (int t = 0; t < 6; t++) {
        double sum[1] = {0};
        recurrence(t, sum, (void *)A, (void *)B);
        show("sum", sum, sizeof sum);
    }
}
