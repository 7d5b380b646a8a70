// RUN: polyopt-cc -O2 --skip-pass=keep-what-pays --emit=poly -o - %s | filecheck %s

// Pointers that may overlap are compared at run time: the ranges of addresses that the loops
// touch, from the first row to the last. Where they meet the original code runs.

// CHECK-LABEL: func.func @shift_rows
// CHECK-DAG:     %[[N:.*]] = arith.index_cast %n
// CHECK-DAG:     %[[A:.*]] = cmem.ptr_to_int %A
// CHECK-DAG:     %[[B:.*]] = cmem.ptr_to_int %B
// CHECK:         %[[OK:.*]] = arith.ori
// CHECK-NEXT:    cf.cond_br %[[OK]], ^[[SCOP:.*]], ^[[ORIGINAL:[a-z0-9]+]](
// CHECK-NEXT:  ^[[SCOP]]:
// CHECK-NEXT:    poly.scop "shift_rows"
// CHECK:         cf.br ^[[AFTER:.*]]
// CHECK-NEXT:  ^[[ORIGINAL]](
// CHECK:         cf.cond_br %{{.*}}, ^{{.*}}, ^[[AFTER]]
// CHECK:         memref.store
void shift_rows(int n, double A[][20], double B[][20])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 20; j++)
            A[i + 1][j] = B[i][j];
}

// What is declared restrict, local or another global needs no check.
// CHECK-LABEL: func.func @apart
// CHECK-NOT:     cmem.ptr_to_int
// CHECK:         poly.scop "apart"
// CHECK-SAME:    local ["t"]
// CHECK-NOT:     memref.store
double G[100], H[100];
void apart(int n, double *restrict a)
{
    double t[100];
    for (int i = 0; i < n; i++)
        t[i] = G[i] + H[i];
    for (int i = 0; i < n; i++)
        a[i] = t[n - 1 - i];
}

// Two arrays that are only read may overlap as they like.
// CHECK-LABEL: func.func @only_read
// CHECK-NOT:     cmem.ptr_to_int
// CHECK:         poly.scop "only_read"
void only_read(int n, double *restrict a, const double *b, const double *c)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] + c[i];
}

// In a loop around that is in no SCoP, a sum is asked about once for each of its results where these
// are stored behind it. Without the store it needs no check.
// CHECK-LABEL: func.func @sum_of_each
// CHECK-NOT:     cmem.ptr_to_int
// CHECK:         poly.scop "sum_of_each"
// CHECK-NOT:     poly.scop
// CHECK:         arith.mulf
// CHECK:         memref.store
void sum_of_each(int n, int m, const int *rows, const int *c, const float *a, const float *b, float *out)
{
    for (int p = rows[0]; p < rows[n]; p++) {
        float s = 0;
        for (int k = 0; k < m; k++)
            s += a[k] * b[c[p] * m + k];
        out[p] = s * a[p];
    }
}

// Where the loop itself stores, there is nothing to leave out.
// CHECK-LABEL: func.func @stored_in_the_loop
// CHECK:         cmem.ptr_to_int
// CHECK:         poly.scop "stored_in_the_loop"
// CHECK-COUNT-2:   poly.write
// CHECK-NOT:       poly.write
void stored_in_the_loop(int n, int m, const int *rows, const int *c, const float *a, float *b, float *out)
{
    for (int p = rows[0]; p < rows[n]; p++) {
        for (int k = 0; k < m; k++)
            b[c[p] * m + k] = a[k];
        out[p] = a[p];
    }
}
