// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffp-contract=off --remarks -c -o %t.o %s 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffp-contract=off --run %s > %t.made
// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffp-contract=off --poly=none --run %s > %t.source
// RUN: diff %t.made %t.source

// Rows of 4096 bytes of which a tile has more than a cache keeps in so few sets are a line longer while
// the loops run: those that are read and written are copied both ways, those that are only written out.
// The bits are those of the source at all sizes, around those of tiles as well.

#include <stdio.h>
#include <string.h>

// CHECK-DAG: applied: A has rows that are 8 elements longer, copied in and out, where that takes at most 268435456 bytes [poly-pad-rows]
// CHECK-DAG: applied: Q has rows that are 8 elements longer, copied out, where that takes at most 268435456 bytes [poly-pad-rows]
void reduce(int m, int n, double A[restrict][512], double R[restrict][512], double Q[restrict][512])
{
    for (int k = 0; k < n; k++) {
        double length = 0;
        for (int i = 0; i < m; i++)
            length += A[i][k] * A[i][k];
        R[k][k] = length + 1;
        for (int i = 0; i < m; i++)
            Q[i][k] = A[i][k] / R[k][k];
        for (int j = k + 1; j < n; j++) {
            R[k][j] = 0;
            for (int i = 0; i < m; i++)
                R[k][j] += Q[i][k] * A[i][j];
            for (int i = 0; i < m; i++)
                A[i][j] -= Q[i][k] * R[k][j];
        }
    }
}

static double A[150][512], R[150][512], Q[150][512];

static void show(const char *name, const void *from, size_t bytes)
{
    unsigned long hash = 7;
    for (size_t i = 0; i < bytes; i++)
        hash = hash * 31 + ((const unsigned char *)from)[i];
    printf("%s %016lx\n", name, hash);
}

int main(void)
{
    int sizes[] = {0, 1, 2, 7, 8, 9, 63, 64, 65, 130};
    for (int one = 0; one < 10; one++)
        for (int other = 0; other < 10; other += 3) {
            memset(Q, 1, sizeof Q);
            memset(R, 1, sizeof R);
            for (int i = 0; i < 150; i++)
                for (int j = 0; j < 512; j++)
                    A[i][j] = (i * j % 17) / 7.0 - 1;
            reduce(sizes[one], sizes[other], A, R, Q);
            show("A", A, sizeof A);
            show("R", R, sizeof R);
            show("Q", Q, sizeof Q);
        }
}
