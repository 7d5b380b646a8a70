// What pollycc called -fpolly-export and -fpolly-import: a schedule out to a file, and back in another compilation. -fpolly keeps
// the order of the source; -ftile tiles; what there is no flag for is named.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: polyopt-cc -fpolly -fpolly-export --remarks -c %s -o one.o 2>&1 | filecheck %s --check-prefix=KEPT
// RUN: polyopt-cc -fpolly-import -c %s -o two.o
// RUN: polyopt-cc -fpolly -ftile --tile-sizes=8,8 --remarks -c %s -o three.o 2>&1 | filecheck %s --check-prefix=TILED
// RUN: not polyopt-cc -ftiles -c %s -o four.o 2>&1 | filecheck %s --check-prefix=NONE

void copy(double A[restrict 100][100], double B[restrict 100][100])
{
    for (int i = 0; i < 100; i++)
        for (int j = 0; j < 100; j++)
            A[i][j] = B[j][i];
}

// KEPT: applied: loops i, j: order of the source
// TILED: applied: loops i, j: {{.*}}tiles of 8 x 8
// NONE: unknown option '-ftiles'
