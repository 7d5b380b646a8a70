// RUN: polyopt-opt %s -p promote-scalars,clean-values,if-convert,unroll-windows | filecheck %s
// RUN: polyopt-opt %s -p "promote-scalars,clean-values,if-convert,unroll-windows{iterations=10}" | filecheck %s --check-prefix=TEN
// RUN: polyopt-opt %s -p "promote-scalars,clean-values,if-convert,unroll-windows{operations=5}" | filecheck %s --check-prefix=FEW

#define N 64
extern float a[N][N], b[N][N], rows[N][4];

// The stores fill a row: this loop is the one for vectors.
// CHECK-LABEL: func.func @row
// CHECK-COUNT-1: arith.mulf
// CHECK-NOT:     arith.mulf
// CHECK:         func.return
void row(void)
{
    for (int y = 0; y < N; y++)
        for (int i = 0; i < 4; i++)
            rows[y][i] = 2 * rows[y][i];
}

// Stores that go down a column do not.
// CHECK-LABEL: func.func @column
// CHECK-COUNT-4: arith.mulf
// CHECK-NOT:     arith.mulf
// CHECK:         func.return
// FEW-LABEL:   func.func @column
// FEW-COUNT-1:   arith.mulf
// FEW-NOT:       arith.mulf
// FEW:           func.return
void column(void)
{
    for (int y = 0; y < N; y++)
        for (int i = 0; i < 4; i++)
            a[i][y] = 2 * a[i][y];
}

// Too many iterations.
// CHECK-LABEL: func.func @ten
// CHECK-COUNT-1: arith.mulf
// CHECK-NOT:     arith.mulf
// CHECK:         func.return
// TEN-LABEL:   func.func @ten
// TEN-COUNT-10:  arith.mulf
// TEN-NOT:       arith.mulf
// TEN:           func.return
void ten(void)
{
    for (int y = 0; y < N; y++)
        for (int i = 0; i < 10; i++)
            a[y][0] *= b[i][y];
}

// How many is not known; left from its middle, too; no loop around.
// CHECK-LABEL: func.func @unknown
// CHECK-COUNT-3: arith.mulf
// CHECK-NOT:     arith.mulf
// CHECK:         func.return
void unknown(int n)
{
    for (int y = 0; y < N; y++)
        for (int i = 0; i < n; i++)
            a[y][0] *= b[i][y];
    for (int y = 0; y < N; y++)
        for (int i = 0; i < 3; i++) {
            if (b[i][y] < 0)
                break;
            a[y][0] *= b[i][y];
        }
    for (int i = 0; i < 3; i++)
        a[0][0] *= b[i][0];
}
