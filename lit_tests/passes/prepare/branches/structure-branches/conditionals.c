// RUN: polyopt-opt %s -p promote-scalars,clean-values,if-convert,structure-branches | filecheck %s

// Branches on data in loops become conditionals; affine ones stay branches, outside of them.

#define N 64
extern double a[N], b[N], c[N], A[N][N];

// CHECK-LABEL: func.func @store
// CHECK:         %[[X:.*]] = memref.load
// CHECK-NEXT:    %[[C:.*]] = arith.cmpf ogt, %[[X]],
// CHECK-NEXT:    scf.if %[[C]] {
// CHECK-NOT:       memref.load
// CHECK:           memref.store %[[X]],
// CHECK-NEXT:    }
// CHECK-NOT:     scf.if
void store(void)
{
    for (int i = 0; i < N; i++)
        if (a[i] > 0.0)
            b[i] = a[i];
}

// The second condition is computed where the first one holds; the value that it needs is used
// further on.
// CHECK-LABEL: func.func @and
// CHECK:         %[[BOTH:.*]], %[[K:.*]] = scf.if %{{.*}} -> (i1, i32) {
// CHECK-NEXT:      %[[X:.*]] = memref.load
// CHECK-NEXT:      %[[C:.*]] = arith.cmpi slt, %[[X]],
// CHECK-NEXT:      scf.yield %[[C]], %[[X]] : i1, i32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[NO:.*]] = arith.constant false
// CHECK-NEXT:      %[[ANY:.*]] = arith.constant 0 : i32
// CHECK-NEXT:      scf.yield %[[NO]], %[[ANY]] : i1, i32
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.if %[[BOTH]] {
// CHECK-NEXT:      %[[AT:.*]] = arith.index_cast %[[K]]
// CHECK-NEXT:      memref.store %{{.*}}, %{{.*}}[%[[AT]]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      memref.store
// CHECK-NEXT:    }
void and(const int *where)
{
    for (int i = 0; i < N; i++) {
        int k;
        if (a[i] > 0.0 && (k = where[i]) < 10)
            c[k] = 1.0;
        else
            a[i] = 1.0;
    }
}

// CHECK-LABEL: func.func @or
// CHECK:         %[[ANY:.*]] = scf.if %{{.*}} -> (i1) {
// CHECK-NEXT:      arith.constant true
// CHECK:         } else {
// CHECK:           arith.cmpf
// CHECK:         scf.if %[[ANY]] {
// CHECK-NEXT:      memref.store
// CHECK-NEXT:    }
void or(void)
{
    for (int i = 0; i < N; i++)
        if (a[i] > 0.0 || b[i] > 1.0)
            c[i] = 1.0;
}

// The affine condition is a branch around the other one, whatever the order where it may be asked
// first.
// CHECK-LABEL: func.func @affine_outside
// CHECK:         %[[LESS:.*]] = arith.cmpi slt
// CHECK:         cf.cond_br %[[LESS]]
// CHECK:         scf.if
void affine_outside(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (i + 1 < j && A[i][j] > 0.0)
                A[i][j] = 0.5;
}

// Within one on data it is a conditional as well.
// CHECK-LABEL: func.func @affine_inside
// CHECK:         scf.if
// CHECK:           scf.if
// CHECK:         cf.br
void affine_inside(void)
{
    for (int i = 0; i < N; i++)
        if (a[i] > 0.0) {
            if (i < 10)
                b[i] = 1.0;
            else
                c[i] = 2.0;
        }
}

// Labels of one place are one comparison; a place that does nothing is none.
// CHECK-LABEL: func.func @cases
// CHECK:         %[[ONE:.*]] = arith.cmpi eq
// CHECK-NEXT:    scf.if %[[ONE]]
// CHECK:         } else {
// CHECK-COUNT-2:   arith.cmpi eq
// CHECK-NOT:       arith.cmpi
// CHECK:           %[[EITHER:.*]] = arith.ori
// CHECK-NEXT:      scf.if %[[EITHER]]
// CHECK:         cf.br
void cases(const int *which)
{
    for (int i = 0; i < N; i++)
        switch (which[i]) {
        case 1:
            a[i] = 1.0;
            break;
        case 2:
        case 5:
            b[i] = 2.0;
            break;
        case 3:
            break;
        }
}

// Outside of loops nothing is gained.
// CHECK-LABEL: func.func @no_loop
// CHECK-NOT:     scf.if
// CHECK:         cf.cond_br
void no_loop(void)
{
    if (a[0] > 0.0)
        b[0] = 1.0;
}
