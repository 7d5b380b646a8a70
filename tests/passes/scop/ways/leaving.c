/* Loops that are left early, beside what never ends, and with exits for errors. */
#include <assert.h>
#include <stdlib.h>

int hard(int);

// 1 scop, 1 deep, exact
void before_an_endless_loop(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) B[i] = 2 * A[i];
    if (n > 1000000)
        for (;;) hard(n);
}
// 1 scop, 1 deep, exact
void straight_into_an_endless_loop(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) B[i] = 2 * A[i];
    for (;;) hard(n);
}
// 1 scop, 1 deep, exact: the loop never ends
void in_an_endless_loop(int n, double *restrict A, double *restrict B) {
    for (;;) {
        for (int i = 0; i < n; i++) B[i] = 2 * A[i];
        hard(1);
    }
}
// 1 scop, 1 deep, exact
int after_an_early_return(int n, double *restrict A, double *restrict B) {
    if (n < 4) return 1;
    for (int i = 0; i < n; i++) B[i] = 2 * A[i];
    return 0;
}
// 1 scop, 2 deep, exact
int return_in_a_nest(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (i + j > 9) return 1;
            B[i * 16 + j] = 2 * A[j];
        }
    return 0;
}
// 1 scop, 1 deep, exact
int return_in_a_loop(int n, int m, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) {
        if (i == m) return i;
        B[i] = 2 * A[i];
    }
    return -1;
}
// 1 scop, 1 deep, exact
int stores_on_return(int n, int m, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) {
        if (i > m) {
            A[i] = -1;
            return i;
        }
        B[i] = 2 * A[i];
    }
    return -1;
}
// 1 scop, 1 deep, exact
int return_before_more(int n, int m, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) {
        if (i > m) return 1;
        B[i] = 2 * A[i];
    }
    for (int i = 0; i < n; i++) A[i] = B[i];
    return 0;
}
// 1 scop, 2 deep, exact
void break_of_the_inner(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++)
        for (int j = 0;; j++) {
            if (j > i || j == 5) break;
            B[i * 6 + j] = 2 * A[j];
        }
}
// 1 scop, 2 deep, exact
void jump_out_of_both(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 8; j++) {
            if (8 * i + j >= 20) goto out;
            B[8 * i + j] = 2 * A[j];
        }
out:;
}
// 1 scop, 1 deep, exact
void promised_in_range(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) {
        if (i > 1000) __builtin_unreachable();
        B[i] = 2 * A[i];
    }
}
// 1 scop, 1 deep, exact
void aborted(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) {
        if (i > 1000) abort();
        B[i] = 2 * A[i];
    }
}
// 1 scop, 1 deep, exact
int aborted_after_some(int n, int m, double *restrict A, double *restrict B) {
    int done = 0;
    for (int i = 0; i < n; i++) {
        if (i == m + 3) {
            B[0] = done;
            abort();
        }
        B[i] = 2 * A[i];
        done += i;
    }
    return done;
}
// 1 scop, 1 deep, exact
void asserted(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) {
        assert(i < 1000);
        B[i] = 2 * A[i];
    }
}
// 1 scop, 2 deep, exact
void checked_subscripts(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++) {
            if (4 * i + j < 0 || 4 * i + j >= 512) exit(3);
            B[4 * i + j] = 2 * A[4 * i + j];
        }
}
// no scop: control may leave the function in the middle // the loop's condition depends on data
int ended_by_data(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) {
        if (A[i] < 0) return i;
        B[i] = 2 * A[i];
    }
    return -1;
}
// no scop: data decide whether the program ends in an error here
void aborted_by_data(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) {
        if (A[i] < -1e9) abort();
        B[i] = 2 * A[i];
    }
}
