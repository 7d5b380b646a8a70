// RUN: polyopt-cc -O2 --skip-pass=keep-what-pays --emit=poly -o - %s | filecheck %s
// RUN: polyopt-cc -O2 --remarks=loops -c -o %t.o %s 2>&1 | filecheck %s --check-prefix=TOLD

// Loops over all of an array beside loops over its rows are a static control part of their own: in
// one, all of the array would have to be one row, and the loops that were made would never run.

// CHECK-LABEL: func.func @beside
// CHECK:         poly.scop "beside"
// CHECK-NOT:     assumed
// CHECK:         poly.write {{.*}} <"[len] -> { S0[k] -> a[k] }">
// CHECK:         poly.scop "beside_1"
// CHECK-NOT:     assumed
// CHECK:         poly.write {{.*}} <"[n, m] -> { S0[i, j] -> a[i, j] }">
// CHECK:         poly.scop "beside_2"
// CHECK-NOT:     assumed
// CHECK:         poly.write {{.*}} <"[len] -> { S0[k] -> a[k] }">
void beside(int n, int m, int len, double *restrict a)
{
    for (int k = 0; k < len; k++)
        a[k] = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] += 1.0;
    for (int k = 0; k < len; k++)
        a[k] *= 0.5;
}

// So inside of a loop around both, which is told why it is left.
// TOLD: loop s: {{.*}}an array of rows is also run over as if it were one
// CHECK-LABEL: func.func @inside
// CHECK:         poly.scop "inside"
// CHECK-NOT:     assumed
// CHECK:         poly.scop "inside_1"
// CHECK-NOT:     assumed
// CHECK-LABEL: func.func @same_row
void inside(int t, int n, int m, int len, double *restrict a, double *restrict b)
{
    for (int s = 0; s < t; s++) {
        for (int j = 0; j < m; j++)
            for (int i = 1; i < n; i++)
                b[i * m + j] = a[i * m + j] + a[(i - 1) * m + j];
        for (int k = 0; k < len; k++)
            a[k] = b[k];
    }
}

// Where loops over the rows ask for as much, a loop over the first of them stays beside them.
// CHECK:         poly.scop "same_row"
// CHECK-SAME:    assumed <
// CHECK-NOT:     poly.scop
void same_row(int n, int k, int m, double *restrict a)
{
    for (int j = 0; j < k; j++)
        a[j] = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++)
            a[i * m + j] += 1.0;
}
