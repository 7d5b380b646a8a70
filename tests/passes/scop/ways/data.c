/* Loops of which a part is not affine. */

// 1 scop, 1 deep, range
void gathered(int n, double *restrict A, double *restrict B, const int *restrict at) {
    for (int i = 0; i < n; i++) B[i] = A[at[i]];
}
// 1 scop, 1 deep, range
void scattered(int n, double *restrict A, double *restrict B, const int *restrict at) {
    for (int i = 0; i < n; i++) B[at[i]] += A[i];
}
// 1 scop, 1 deep, range
void chosen(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++)
        if (A[i] > 1) B[i] = A[i];
}
// 1 scop, 1 deep, range
void squares(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) B[i * i] = A[i];
}
// 1 scop, 1 deep, exact
void hashed(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) B[(unsigned)(i * 2654435761u) >> 24] += A[i];
}
// 1 scop, 1 deep, range
void compacted(int n, double *restrict A, double *restrict B) {
    int k = 0;
    for (int i = 0; i < n; i++)
        if (A[i] > 1) B[k++] = A[i];
}
// 1 scop, 1 deep, range
void rows_by_list(int n, double *restrict A, double *restrict B, const int *restrict start) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < 4; k++) s += A[start[i] + k];
        B[i] = s;
    }
}
// 1 scop, 1 deep, exact: the loop's condition is no sum of loop variables: it contains what is read from start
void sparse_rows(int n, double *restrict A, double *restrict B, const int *restrict start) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = start[i]; k < start[i + 1]; k++) s += A[k];
        B[i] = s;
    }
}
// 1 scop, 1 deep, exact: the loop's condition depends on data
void until_data(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) B[i] = 2 * A[i];
    for (int i = 0; A[i] > 0 && i < n; i++) B[i] = 1;
}
// 1 scop, 1 deep, exact
void strided_by_a_product(int n, int m, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) B[i * (m * m + 1)] = A[i];
}
