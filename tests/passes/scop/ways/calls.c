/* Loops with calls, and with the copies and fillings of the C library. */
#include <math.h>
#include <string.h>

double pure_f(double) __attribute__((pure));
double const_f(double) __attribute__((const));
int const_i(int) __attribute__((const));
double looks(const double *, int) __attribute__((pure));
double anything(double);

// 1 scop, 1 deep, exact
void of_a_const_function(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) B[i] = const_f(A[i]);
}
// 1 scop, 1 deep, exact
void of_a_pure_function(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) A[i] = pure_f(A[i]);
}
// 1 scop, 2 deep, range
void as_a_subscript(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) {
        A[i] = 0;
        for (int j = i; j < 50; j++) B[const_i(j)] = j;
        A[i] = B[i];
    }
}
// 1 scop, 1 deep, range
void in_a_condition(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) {
        B[i] = 0;
        if (const_i(i) > 9) B[i] = A[i];
        A[i] = B[i] - 1;
    }
}
// 1 scop, 2 deep, range
void in_a_condition_and_a_subscript(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) {
        A[i] = 0;
        for (int j = i; j < 50; j++)
            if (const_i(j) < 40 && (const_f(j) > 3 || i < 2)) B[const_i(j)] = const_f(j);
        A[i] = B[i];
    }
}
// no scop: the call of anything may do anything
void of_anything(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) B[i] = anything(A[i]);
}
// 1 scop, 1 deep, exact
void of_libm(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) B[i] = hypot(A[i], 1) + fmin(A[i], 2) + cbrt(A[i]) + ldexp(A[i], 2);
}
static double half_life(double x) {
    double y = x;
    for (int k = 0; k < 40; k++) y = y * 0.5 + 1;
    return y;
}
// 1 scop, 2 deep, exact
void of_a_function_with_a_loop(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) B[i] = half_life(A[i]);
}
static void row(int n, double *restrict b, const double *restrict a) {
    for (int j = 0; j < n; j++) b[j] += a[j];
}
// 1 scop, 2 deep, exact
void of_a_loop_over_a_row(int n, double (*restrict A)[16], double (*restrict B)[16]) {
    for (int i = 0; i < n; i++) row(16, B[i], A[i]);
}
static double dot(int n, const double *x, const double *y) {
    double s = 0;
    for (int k = 0; k < n; k++) s += x[k] * y[k];
    return s;
}
// 1 scop, 2 deep, exact
void of_a_scalar_product(int n, double (*restrict A)[16], double (*restrict B)[16]) {
    for (int i = 0; i < n; i++) B[i][0] = dot(16, A[i], A[0]);
}
static double clamped(double x) {
    if (x < 0) return 0;
    if (x > 1) return 1;
    return x;
}
// 1 scop, 1 deep, exact
void of_a_function_with_branches(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) B[i] = clamped(A[i]);
}
typedef struct { double x, y, z; } point;
static point moved(point p, double h) {
    point q = {p.x + h * (p.y - p.x), p.y + h * p.z, p.z - h * p.x};
    return q;
}
// 1 scop, 1 deep, exact
void of_a_function_of_structs(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) {
        point p = {A[i], 2, 3};
        point q = moved(p, 0.5);
        B[i] = q.x + q.y + q.z;
    }
}
typedef struct { double re, im; } number;
static number times(number a, number b) {
    number c;
    c.re = a.re * b.re - a.im * b.im;
    c.im = a.re * b.im + a.im * b.re;
    return c;
}
// 1 scop, 1 deep, exact
void of_a_function_of_small_structs(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) {
        number a = {A[i], 1}, b = times(a, a);
        B[i] = times(a, b).re;
    }
}

/* Copies. */

// 1 scop, 2 deep, exact
void copies_of_rows(int n, double (*restrict A)[16], double (*restrict B)[16]) {
    for (int i = 0; i < n; i++) {
        memcpy(B[i], A[i], sizeof B[i]);
        B[i][0] = 1;
    }
}
// 1 scop, 2 deep, exact
void cleared_rows(int n, double (*restrict A)[16], double (*restrict B)[16]) {
    for (int i = 0; i < n; i++) {
        memset(B[i], 0, sizeof B[i]);
        for (int j = 0; j < 16; j++) B[i][j] += A[j][i % 16];
    }
}
// 1 scop, 1 deep, exact
void moved_once(int n, double *restrict A, double *restrict B) {
    memmove(B, A, n * sizeof *A);
    for (int i = 0; i < n; i++) B[i] *= 2;
}
// 1 scop, 1 deep, exact
void structs_copied(int n, point *restrict A, point *restrict B) {
    for (int i = 0; i < n; i++) {
        B[i] = A[i];
        B[i].x += 1;
    }
}
