/* Subscripts and bounds that are affine behind floating-point numbers, bits, bytes and memory. */
#include <stddef.h>

/* Bytes. */

// 1 scop, 1 deep, exact
void bytes_by_an_unsigned(int n, double *restrict A, double *restrict B) {
    for (unsigned o = 0; o < 8u * n; o += 8) *(double *)((char *)B + o) = 2 * A[o / 8];
}
// 1 scop, 1 deep, exact
void bytes_by_a_pointer(int n, double *restrict A, double *restrict B) {
    char *p = (char *)A, *q = (char *)B, *end = p + n * sizeof *A;
    for (; p != end; p += sizeof *A, q += sizeof *B) *(double *)q = 2 * *(double *)p;
}
// 1 scop, 1 deep, exact
void the_lesser_of_two_places(int n, double *restrict A, double *restrict B) {
    for (size_t i = 0; i < n; i++)
        *(double *)((char *)B + 8 * i) = *(double *)((char *)A + (8 * i < 64 ? 8 * i : 64));
}

/* Floating-point numbers. */

// 1 scop, 1 deep, exact
void counted_by_halves(int n, double *restrict A, double *restrict B) {
    for (float x = 0; x < 100; x += 0.5f) B[(int)(x * 2)] += A[(int)x];
}
// 1 scop, 1 deep, exact
void counted_down(int n, double *restrict A, double *restrict B) {
    for (double x = 50; x >= 0; x -= 1) B[(size_t)x] = 2 * A[(unsigned)x];
}
// 1 scop, 1 deep, exact
void half_of_a_number(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n / 2.0; i++) B[i] = A[(int)(i * 0.5)] - A[(int)(i / 4.0 + 3.25)];
}
// 1 scop, 1 deep, exact
void behind_zero(int n, double *restrict A, double *restrict B) {
    for (int i = -9; i < 10; i++) B[9 + (int)(i * 0.25f)] += A[9 + i];
}
// 1 scop, 1 deep, exact
void small_enough_for_a_float(int n, double *restrict A, double *restrict B) {
    for (short i = 0; i < n; i++) B[(int)(float)i] = A[(int)(1.5f * i)];
}
// 1 scop, 1 deep, range
void too_great_for_a_float(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) B[(int)(float)i] = A[i];
}
// 1 scop, 1 deep, range
void a_third_is_rounded(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) B[(int)(i / 3.0)] += A[i];
}

/* Bits. */

// 1 scop, 2 deep, exact
void digits_put_together(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) B[(i << 4) | j] = 2 * A[(i << 4) ^ j];
}
// 1 scop, 1 deep, exact
void digits_exchanged(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < 64; i++) B[i] = 2 * A[((i & 7) << 3) | (i >> 3)];
}
// 1 scop, 2 deep, range
void digits_that_meet(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 17; j++) B[(i << 4) | j] += A[i];
}

/* Bounds that are in memory. */

struct vector { size_t size; double *data; };
// 1 scop, 1 deep, exact
void bound_behind_a_pointer(int n, double *A, double *B, int *end) {
    for (int i = 0; i < *end; i++) B[i] = 2 * A[i];
}
// 1 scop, 1 deep, exact
void bound_of_the_elements_type(int n, int *A, int *B, int *end) {
    for (int i = 0; i < *end; i++) B[i] = 2 * A[i];
}
// 1 scop, 1 deep, exact
void bound_in_a_struct(struct vector *x, struct vector *y) {
    for (size_t i = 0; i < x->size; i++) y->data[i] = 2 * x->data[i];
}
int count;
// 1 scop, 2 deep, exact
void bound_in_a_global(int n, int *A) {
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) A[i * count + j] = i - j;
}
