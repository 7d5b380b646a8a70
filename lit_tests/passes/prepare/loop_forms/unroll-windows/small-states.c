// Small local arrays that hold the state of one iteration around come apart into variables: the loops
// over their elements are unrolled although they fill a row.
// RUN: polyopt-opt %s -p promote-scalars,clean-values,spread-copies,if-convert,unroll-windows | filecheck %s

#define N 64
extern double y[3][N], rows[N][3], weights[N][8];
void elsewhere(double *);

// CHECK-LABEL: func.func @systems(
// CHECK-NOT:     memref<3xf64>
// CHECK:         %u_at0 = memref.alloca() : memref<f64>
// CHECK:         %u_at8 = memref.alloca() : memref<f64>
// CHECK:         %u_at16 = memref.alloca() : memref<f64>
// CHECK-NOT:     memref<3xf64>
// CHECK:         func.return
void systems(int steps)
{
    for (int s = 0; s < N; s++) {
        double u[3];
        for (int c = 0; c < 3; c++)
            u[c] = y[c][s];
        for (int t = 0; t < steps; t++)
            for (int c = 0; c < 3; c++)
                u[c] = u[c] * u[c] + 1;
        for (int c = 0; c < 3; c++)
            y[c][s] = u[c];
    }
}

// So does one that is taken from a row before the recurrence and put back behind it.
// CHECK-LABEL: func.func @from_rows(
// CHECK-NOT:     memref<3xf64>
// CHECK:         func.return
void from_rows(int steps)
{
    for (int s = 0; s < N; s++) {
        double u[3];
        for (int c = 0; c < 3; c++)
            u[c] = rows[s][c];
        for (int t = 0; t < steps; t++)
            for (int c = 0; c < 3; c++)
                u[c] = u[c] * rows[s][c] + 1;
        for (int c = 0; c < 3; c++)
            rows[s][c] = u[c];
    }
}

// So does one that an initialiser sets to zero, in a loop of more iterations than windows have.
// CHECK-LABEL: func.func @matrices(
// CHECK-NOT:     memref<4x4xf64>
// CHECK-COUNT-16: %c_at{{[0-9]+}} = memref.alloca() : memref<f64>
// CHECK-NOT:     memref<4x4xf64>
// CHECK:         func.return
void matrices(int steps)
{
    for (int s = 0; s < N; s++) {
        double c[4][4] = {0};
        for (int t = 0; t < steps; t++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    c[i][j] += y[0][s] * c[j][i] + 1;
        y[1][s] = c[1][2];
    }
}

// Counts at places that data decides on are no state; a row is set to zero in a loop.
// CHECK-LABEL: func.func @counts(
// CHECK:         %h = memref.alloca() : memref<16xi32>
// CHECK-COUNT-4: memref.store
// CHECK-NOT:     memref.store
// CHECK:         func.return
void counts(int n, const int *which, int *most)
{
    for (int s = 0; s < N; s++) {
        int h[16] = {0};
        for (int k = 0; k < n; k++)
            h[which[k] & 15]++;
        *most += h[s & 15];
    }
}

// Sums side by side, over rows that go on: these are rows for vectors.
// CHECK-LABEL: func.func @sums(
// CHECK:         %sum = memref.alloca() : memref<8xf64>
// CHECK-COUNT-1: arith.addf
// CHECK-NOT:     arith.addf
// CHECK:         func.return
void sums(int n, double *out)
{
    for (int s = 0; s < N; s++) {
        double sum[8];
        for (int c = 0; c < 8; c++)
            sum[c] = 0;
        for (int k = 0; k < n; k++)
            for (int c = 0; c < 8; c++)
                sum[c] += weights[k][c];
        for (int c = 0; c < 8; c++)
            out[8 * s + c] = sum[c];
    }
}

// One that goes on from iteration to iteration; one at a place that data decides on; one whose
// address goes elsewhere; one that is too large; no loop around.
// CHECK-LABEL: func.func @others(
// CHECK-DAG:     %kept = memref.alloca() : memref<3xf64>
// CHECK-DAG:     %anywhere = memref.alloca() : memref<3xf64>
// CHECK-DAG:     %given = memref.alloca() : memref<3xf64>
// CHECK-DAG:     %large = memref.alloca() : memref<9x9xf64>
// CHECK-DAG:     %once = memref.alloca() : memref<3xf64>
// CHECK:         func.return
void others(int steps, const int *which)
{
    double kept[3], anywhere[3], given[3], large[9][9], once[3];
    for (int c = 0; c < 3; c++)
        kept[c] = once[c] = y[c][0];
    for (int s = 0; s < N; s++) {
        for (int c = 0; c < 3; c++) {
            kept[c] = kept[c] * 2;
            anywhere[c] = y[c][s];
            given[c] = y[c][s];
        }
        for (int c = 0; c < 9; c++)
            for (int d = 0; d < 9; d++)
                large[c][d] = y[0][s] * c + d;
        anywhere[which[s]] = 0;
        elsewhere(given);
        for (int c = 0; c < 3; c++)
            y[c][s] = anywhere[c] + given[c] + large[c][c];
    }
    for (int c = 0; c < 3; c++)
        y[c][0] = kept[c] + once[c];
}

// Nor does one whose size is known only when it runs: its elements are set by a loop.
// CHECK-LABEL: func.func @of_any_size(
// CHECK-COUNT-2: arith.mulf
// CHECK-NOT:     arith.mulf
// CHECK:         func.return
void of_any_size(int n, int m, double *restrict z)
{
    double s[m];
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 6; k++)
            s[k] = 0.5 * k;
        for (int k = 1; k < 6; k++)
            s[k] += s[k - 1] * s[0];
        z[i] = s[5];
    }
}
