/* Counters and bounds that are in memory and change there. */

// 1 scop, 1 deep, exact
void behind_a_pointer(int n, double *A, double *B, int *at) {
    for (*at = 0; *at < n; ++*at) B[*at] = 2 * A[*at];
}
// 1 scop, 1 deep, exact
void goes_on_where_it_is(int n, double *A, double *B, int *at) {
    for (; *at < n; ++*at) B[*at] = 2 * A[*at];
}
// 1 scop, 1 deep, exact
void two_places(int n, double *A, double *B, int *at) {
    while (at[0] < at[1]) {
        B[at[0]] = 2 * A[at[1]];
        at[0]++;
        at[1]--;
    }
}
// no scop: the loop's condition is no sum of loop variables: it contains what is read from at
void may_be_an_element(int n, int *A, int *at) {
    for (*at = 0; *at < n; ++*at) A[*at] = 3;
}
// no scop: the loop's condition is no sum of loop variables: it contains what is read from at
void characters_may_be_anything(int n, unsigned char *A, int *at) {
    for (*at = 0; *at < n; ++*at) A[*at] = 3;
}
// 1 scop, 1 deep, exact
void promised(int n, int *restrict A, int *restrict at) {
    for (*at = 0; *at < n; ++*at) A[*at] = 3;
}
int here, there[2];
// 1 scop, 1 deep, exact
void global(int n, double *A, double *B) {
    for (here = 0; here < n; here++) B[here] = 2 * A[here];
}
// 1 scop, 1 deep, exact
void element_of_a_global(int n, double *A, double *B) {
    for (there[1] = 3; there[1] < n; there[1]++) B[there[1]] = 2 * A[there[0]];
}
struct cursor { int at, end; double *from, *to; };
// 1 scop, 1 deep, exact
void cursor(struct cursor *c) {
    while (c->at < c->end) {
        c->to[c->at] = 2 * c->from[c->at];
        c->at++;
    }
}
// no scop: control may leave the function in the middle
int written_on_each_way_out(int n, int m, double *A, double *B, int *at) {
    for (;; ++*at) {
        if (*at == m) return 1;
        if (*at >= n) return 2;
        B[*at] = 2 * A[*at];
    }
}
