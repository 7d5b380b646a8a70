// Algorithm 1 of Shirako, Pouchet and Sarkar as one flow: order, skewing, tiles, register tiles; each stage can be left out. Tiles that
// lean with time are 5 long in it. A pipeline is one as it is, or wavefronts; a sum over rows is shared out, or the loop inside is.
// RUN: polyopt-cc -O3 -ffast-math --poly=poly+ast -fparallel=2 --remarks -c %s -o %t.o 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 -ffast-math --poly=poly+ast --stages=no-pipeline,no-reduction -fparallel=2 --remarks -c %s -o %t.o 2>&1 | filecheck %s --check-prefix=OFF
// RUN: polyopt-cc -O3 --poly=poly+ast --stages=no-tile,no-permute,registers=1x1 --remarks -c %s -o %t.o 2>&1 | filecheck %s --check-prefix=PLAIN
// RUN: not polyopt-cc -O3 --poly=poly+ast --stages=no-fusion -c %s -o %t.o 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not polyopt-cc -O3 --poly=isl --stages=no-fuse -c %s -o %t.o 2>&1 | filecheck %s --check-prefix=OTHER

void sweeps(int steps, int n, double A[restrict n][n])
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j]) / 5.0;
}

// CHECK: :11:{{.*}}: applied: loop t in threads: pipeline along i
// CHECK: :14:{{.*}}: applied: loops t, i, j: {{.*}}tiles of 5 x 32 x 32
// OFF: :11:{{.*}}: applied: loop t in threads: in steps of i
// PLAIN: :14:{{.*}}: applied: loops t, i, j: order of the source [poly-to-affine]

void columns(int n, int m, double s[restrict m], double X[restrict n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s[j] += 0.5 * X[i][j];
}

// CHECK: :24:{{.*}} in threads: reduction of s
// OFF: :24:{{.*}} loop j in threads: doall
// PLAIN: :26:{{.*}} applied: loops i, j: order of the source, no dependence carried by j

// NONE: bad value 'no-fusion' for '--stages=': expected no-fuse, no-permute, no-tile, no-pipeline, no-reduction or registers=NxN
// OTHER: --stages= are those of --poly=poly+ast
