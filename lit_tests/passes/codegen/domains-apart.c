// Statements of one loop whose domains differ: the iterations that run the same ones are loops of
// their own, so that none asks in each iteration. Where a row decides, it is asked once for the row.
// RUN: polyopt-cc -O2 --emit=poly -o - %s | polyopt-opt -p 'poly-schedule{scheduler="locality"},poly-to-affine' | filecheck %s

double u[60][81], v[61][80], e[60][80];
void sweep(int ny, int nx)
{
    for (int j = 0; j < ny; j++)
        for (int i = 1; i < nx; i++)
            u[j][i] -= e[j][i] - e[j][i - 1];
    for (int j = 1; j < ny; j++)
        for (int i = 0; i < nx; i++)
            v[j][i] -= e[j][i] - e[j - 1][i];
}

// CHECK-LABEL: func.func @sweep
// CHECK:         affine.for
// CHECK:           "affine.if"
// CHECK:             affine.for [[I:%.*]] = 1 to
// CHECK-NOT:           affine.if
// CHECK:               affine.store {{.*}}, %u
// CHECK-NOT:           affine.if
// CHECK:               affine.store {{.*}}, %v

// An iteration that is a multiple of three is asked for: no ends of ranges are. As it stands.
void thirds(int n, double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++) {
        a[i] = 1.0;
        if (i % 3 == 0)
            b[i] = a[i];
    }
}

// CHECK-LABEL: func.func @thirds
// CHECK:         affine.for
// CHECK:           affine.store {{.*}}, %a
// CHECK:           "affine.if"
// CHECK:             affine.store {{.*}}, %b
// CHECK-NOT:     affine.for
