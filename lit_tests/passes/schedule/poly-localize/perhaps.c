// Where data decide what is touched, an array may end before what would be copied: it is copied where its extents are known, or where
// something else surely touches the elements.
// RUN: polyopt-cc -O2 --emit=poly -o %t.mlir %s
// RUN: not polyopt-opt %t.mlir -p 'poly-localize{scop="perhaps" arrays=B at="S0.i"}' 2>&1 | filecheck %s
// RUN: polyopt-opt %t.mlir -p 'poly-localize{scop="perhaps" at="S0.i"}' --remarks 2>&1 | filecheck %s --check-prefix=THERE

double C[100][100];

void perhaps(double (*restrict A)[100], double (*restrict B)[100])
{
    for (int i = 0; i < 100; i++)
        for (int j = 0; j < 100; j++)
            if (A[i][j] > 0) {
                A[i][j] = 0;
                B[i][j] += C[i][j];
            }
}

// CHECK: error: no copies for tiles: data decide which elements of B are touched, and it may not have all
// CHECK: hint: an array of known extents has, or one that is touched as a whole besides

// THERE-NOT: applied: B
// THERE:     applied: A in a buffer of 1 x 100: 100 in and 100 out for a tile [localize]
// THERE-NOT: applied: B
// THERE:     applied: C in a buffer of 1 x 100: 100 in for a tile [localize]
// THERE-NOT: applied: B
