// RUN: polyopt-cc -O3 -march=x86-64-v4 -ffp-contract=off --remarks -c -o %t.o %s 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffp-contract=off --run %s > %t.made
// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffp-contract=off --poly=none --run %s > %t.source
// RUN: diff %t.made %t.source

// What each lane takes of its own point does not move with the loop around the points that act on it:
// it is gathered once, and does not count in each of its iterations.

#include <stdio.h>

// CHECK:     applied: {{[0-9]+}} iterations of i in lanes [affine-lanes]
// CHECK-NOT: in lanes
void forces(int n, double (*restrict P)[3], double (*restrict F)[3])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double x = P[j][0] - P[i][0], y = P[j][1] - P[i][1], z = P[j][2] - P[i][2];
            double r = x * x + y * y + z * z + 0.01;
            F[i][0] += x / r;
            F[i][1] += y / r;
            F[i][2] += z / r;
        }
}

static double P[100][3], F[100][3];

int main(void)
{
    int sizes[] = {0, 1, 7, 8, 9, 33, 100};
    for (int k = 0; k < 7; k++) {
        for (int i = 0; i < 100; i++)
            for (int d = 0; d < 3; d++)
                P[i][d] = (i * 7 + d * 3) % 11 / 3.0, F[i][d] = i;
        forces(sizes[k], P, F);
        for (int i = 0; i < 100; i++)
            printf("%a %a %a\n", F[i][0], F[i][1], F[i][2]);
    }
}
