/* Loops that a flag leads, and branches that one decides. */
#include <stdbool.h>

// 1 scop, 1 deep, exact
void until_done(int n, double *restrict A, double *restrict B) {
    int i = 0;
    bool done = n <= 0;
    while (!done) {
        B[i] = 2 * A[i];
        i++;
        if (i >= n) done = true;
    }
}
// 1 scop, 1 deep, exact
void done_beside_a_counter(int n, double *restrict A, double *restrict B) {
    int done = 0;
    for (int i = 0; i < n && !done; i++) {
        if (i == 17) done = 1;
        B[i] = 2 * A[i];
    }
}
// 1 scop, 1 deep, exact
void goes_on_behind_it(int n, double *restrict A, double *restrict B) {
    int i = 0, go = 1;
    do {
        B[i] = 2 * A[i];
        if (++i >= n) go = 0;
    } while (go);
}
// 1 scop, 1 deep, exact
void first_is_special(int n, double *restrict A, double *restrict B) {
    bool first = true;
    for (int i = 0; i < n; i++) {
        if (first) {
            B[i] = A[i];
            first = false;
        } else
            B[i] = A[i - 1] + A[i];
    }
}
// 1 scop, 1 deep, exact
void a_truth_value(int n, double *restrict A, double *restrict B) {
    _Bool more = n > 3;
    for (int i = 0; more; i++, more = i < n && i < 30) B[i] = 2 * A[i];
}
// 1 scop, 2 deep, exact
void of_the_inner_loop(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) {
        bool stop = false;
        for (int j = 0; !stop; j++) {
            B[32 * i + j] = 2 * A[j];
            stop = j == i;
        }
    }
}
// 1 scop, 1 deep, exact
void every_other(int n, double *restrict A, double *restrict B) {
    bool odd = false;
    for (int i = 0; i < n; i++) {
        if (odd) B[i] = A[i];
        else B[i] = -A[i];
        odd = !odd;
    }
}
// no scop: the loop's condition is no sum of loop variables: it contains found
int found_in_data(int n, double *restrict A, double *restrict B) {
    bool found = false;
    int i = 0;
    while (!found && i < n) {
        B[i] = 2 * A[i];
        if (A[i] > 3) found = true;
        i++;
    }
    return i;
}
