// RUN: polyopt-cc -O3 --poly=isl+tile --tile-sizes=16,8 --remarks -c %s -o %t.o 2>&1 | filecheck %s
// RUN: polyopt-opt %s -p promote-scalars,detect-scops --remarks -o %t.mlir 2>&1 | filecheck %s --check-prefix OPT

// A line for each loop nest: what was done, or why nothing.

int next(int x);

void copy(int n, double a[restrict n][n], double b[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = b[i][j];
}

int chase(int start)
{
    int x = start;
    while (x > 0)
        x = next(x);
    return x;
}

// CHECK: remarks.c:12:{{[0-9]+}}: applied: loops i, j: order of the source, tiles of 16 x 8, no dependence carried by i and j [poly-to-affine]
// CHECK: remarks.c:{{1[6-9]}}:{{[0-9]+}}: missed: {{.*}}next{{.*}} [scop-{{.*}}]

// OPT:   remarks.c:{{.*}}: analysis: static control part: 1 statement{{.*}} [detect-scops]
