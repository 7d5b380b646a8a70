// RUN: polyopt-cc -O2 --emit=poly -o - %s | filecheck %s

// Subscripts that a program writes out by hand are taken apart again. That a column stays in its
// row is proved, or checked at run time.

// CHECK-LABEL: func.func @by_hand
// CHECK-NOT:     cf.cond_br
// CHECK:         cmem.view %a[%{{.*}}] : memref<?x?xf64>
// CHECK:         poly.write {{.*}} <"[n, m] -> { S0[i, j] -> a[i, j] }">
void by_hand(int n, int m, double *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] = 1.0;
}

// Columns up to k are inside a row only if k <= m (or if there are no rows).
// CHECK-LABEL: func.func @assumed
// CHECK:         cf.cond_br
// CHECK:         poly.scop
// CHECK-SAME:    assumed <"[n, k, m] -> {  : n <= 0 or k <= 0 or m >= k }">
void assumed(int n, int k, int m, double *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++)
            a[i * m + j] = 1.0;
}

// A pointer to a row and the array itself are one array.
// CHECK-LABEL: func.func @rows
// CHECK:         poly.write {{.*}} <"[n] -> { S0[i, j] -> A[i, j] }">
// CHECK:         poly.read {{.*}} <"[n] -> { S1[i] -> A[i, 3] }">
void rows(int n, double A[restrict][20], double *restrict b)
{
    for (int i = 0; i < n; i++) {
        double *row = A[i];
        for (int j = 0; j < 20; j++)
            row[j] = 1.0;
        b[i] = A[i][3];
    }
}

// The fields of structures are elements of one array.
// CHECK-LABEL: func.func @fields
// CHECK:         poly.read {{.*}} <"[n] -> { S0[i] -> p[2i] }">
// CHECK:         poly.write {{.*}} <"[n] -> { S0[i] -> p[1 + 2i] }">
struct point { double x, y; };
void fields(int n, struct point *p)
{
    for (int i = 0; i < n; i++)
        p[i].y = p[i].x;
}

// Rows with a border: their length is the sum that was multiplied.
// CHECK-LABEL: func.func @bordered
// CHECK-NOT:     assumptions_hold
// CHECK:         poly.read {{.*}} <"[n, m] -> { S0[i, j] -> a[i, j] }">
// CHECK:         poly.read {{.*}} <"[n, m] -> { S0[i, j] -> a[2 + i, 2 + j] }">
// CHECK:         poly.write {{.*}} <"[n, m] -> { S0[i, j] -> b[i, j] }">
void bordered(int n, int m, const double *restrict a, double *restrict b)
{
    int width = m + 2;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i * m + j] = a[i * width + j] * a[(i + 2) * width + j + 2];
}

// A row of which the loop is gone: the rows around it are as long as all factors say.
// CHECK-LABEL: func.func @windows
// CHECK-NOT:     assumptions_hold
// CHECK:         poly.read {{.*}} <"[n, m] -> { S0[i, j] -> w[i, 7 + 9j] }">
void windows(int n, int m, const double *restrict w, double *restrict b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i * m + j] = w[(i * m + j) * 9 + 7];
}

// Of two buffers that take turns, too: what is left of t is no row.
// CHECK-LABEL: func.func @turns
// CHECK:         poly.scop
// CHECK-SAME:    arrays(%{{.*}} : memref<?x60x50xf64>)
// CHECK-SAME:    assumed <"[n] -> {  : n <= 51 }">
// CHECK:         poly.read {{.*}} S0[t, i, j] -> X[o0, -1 + i, j]
// CHECK:         poly.write {{.*}} S0[t, i, j] -> X[o0, i, j]
void turns(int n, double *X)
{
    for (int t = 0; t < 9; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                X[((t + 1) % 2 * 60 + i) * 50 + j] = X[(t % 2 * 60 + i - 1) * 50 + j];
}

// A ring of rows is as long as it needs to be.
// CHECK-LABEL: func.func @ring
// CHECK-NOT:     assumptions_hold
// CHECK:         poly.scop
// CHECK-SAME:    arrays(%{{.*}} : memref<?x40xf64>)
void ring(int n, double *restrict X)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 40; j++)
            X[i % 4 * 40 + j] += i;
}

// A loop that goes by more than one element goes along a row as well.
// CHECK-LABEL: func.func @strided
// CHECK:         poly.scop
// CHECK-SAME:    arrays(%{{.*}} : memref<?x51xf64>)
// CHECK:         poly.write {{.*}} S0[i, j] -> X[1 + i, 1 + 17j]
void strided(int n, double *X)
{
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n - 1; j += 17)
            X[(i + 1) * 51 + j] = X[i * 51 + j + 1];
}
