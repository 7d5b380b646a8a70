/* One loop, spelt in many ways. Above each function stands what is to be found in it. */
#include <stddef.h>
#include <stdint.h>

// 1 scop, 1 deep, exact
void plain(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) B[i] = 2 * A[i];
}
// 1 scop, 1 deep, exact
void old_style(int n, double *restrict A, double *restrict B) {
    register int i;
    for (i = 0; i <= n - 1; i = i + 1) B[i] = 2 * A[i];
}
// 1 scop, 1 deep, exact
void not_equal(int n, double *restrict A, double *restrict B) {
    if (n < 0) return;
    for (int i = 0; i != n; ++i) B[i] = 2 * A[i];
}
// 1 scop, 1 deep, exact
void downwards(int n, double *restrict A, double *restrict B) {
    for (int i = n - 1; i >= 0; i--) B[i] = 2 * A[i];
}
// 1 scop, 1 deep, exact
void goes_to(int n, double *restrict A, double *restrict B) {
    int i = n < 0 ? 0 : n;
    while (i-- > 0) B[i] = 2 * A[i];
}
// 1 scop, 1 deep, exact
void goes_to_zero(size_t n, double *restrict A, double *restrict B) {
    size_t i = n;
    while (i--) B[i] = 2 * A[i];
}
// 1 scop, 1 deep, exact
void wide_counter(long n, double *restrict A, double *restrict B) {
    for (long long i = 0; i < n; i++) B[i] = 2 * A[i];
}
// 1 scop, 1 deep, exact
void signed_size(ptrdiff_t n, double *restrict A, double *restrict B) {
    for (ptrdiff_t i = n; i > 0; --i) B[i - 1] = 2 * A[i - 1];
}
// 1 scop, 1 deep, exact
void narrow_counter(double *restrict A, double *restrict B) {
    for (unsigned char i = 0; i < 200; i++) B[i] = 2 * A[i];
}
// 1 scop, 1 deep, exact
void short_counter(short n, double *restrict A, double *restrict B) {
    for (short i = 0; i < n; i++) B[i] = 2 * A[i];
}
// 1 scop, 1 deep, exact
void while_loop(int n, double *restrict A, double *restrict B) {
    int i = 0;
    while (i < n) {
        B[i] = 2 * A[i];
        i++;
    }
}
// 1 scop, 1 deep, exact
void do_behind_a_test(int n, double *restrict A, double *restrict B) {
    int i = 0;
    if (n > 0)
        do {
            B[i] = 2 * A[i];
        } while (++i < n);
}
// 1 scop, 1 deep, exact
void left_in_the_middle(int n, double *restrict A, double *restrict B) {
    int i = 0;
    for (;;) {
        if (i >= n) break;
        B[i] = 2 * A[i];
        i++;
    }
}
// 1 scop, 1 deep, exact
void by_a_jump(int n, double *restrict A, double *restrict B) {
    int i = 0;
again:
    if (i >= n) goto done;
    B[i] = 2 * A[i];
    i++;
    goto again;
done:;
}
// 1 scop, 1 deep, exact
void goes_on(int n, double *restrict A, double *restrict B) {
    for (int i = -3; i < n; i++) {
        if (i < 0) continue;
        B[i] = 2 * A[i];
    }
}
// 1 scop, 1 deep, exact
void one_ahead(int n, double *restrict A, double *restrict B) {
    for (int i = 1; i <= n; i++) B[i - 1] = A[i - 1] * 2;
}
// 1 scop, 1 deep, exact
void two_counters(int n, double *restrict A, double *restrict B) {
    for (int i = 0, j = n - 1; i < n; i++, j--) B[i] = 2 * A[j];
}
// 1 scop, 1 deep, exact
void by_steps(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < 4 * n; i += 4) B[i / 4] = 2 * A[i / 4];
}
// 1 scop, 1 deep, exact
void shifted(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n << 1; i += 2) B[i >> 1] = 2 * A[i >> 1];
}
// 1 scop, 1 deep, exact
void pointers(int n, double *restrict A, double *restrict B) {
    double *end = A + n;
    while (A < end) *B++ = 2 * *A++;
}
// 1 scop, 1 deep, exact
void pointers_not_equal(int n, double *restrict A, double *restrict B) {
    if (n < 0) return;
    for (double *p = A, *q = B; p != A + n; p++, q++) *q = 2 * *p;
}
// 1 scop, 1 deep, exact
void pointer_and_count(int n, double *restrict A, double *restrict B) {
    double *p = A;
    for (int i = 0; i < n; i++) B[i] = 2 * *p++;
}
// 1 scop, 1 deep, exact
void bytes(int n, double *restrict A, double *restrict B) {
    for (size_t o = 0; o < n * sizeof(double); o += sizeof(double))
        *(double *)((char *)B + o) = 2 * *(double *)((char *)A + o);
}
// 1 scop, 1 deep, exact
void index_first(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) i[B] = 2 * *(A + i);
}
// 1 scop, 1 deep, exact
void in_the_condition(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n && i < 1000; i++) B[i] = 2 * A[i];
}
// 1 scop, 1 deep, exact
void a_flag_says(int n, double *restrict A, double *restrict B) {
    int i = 0, more = n > 0;
    while (more) {
        B[i] = 2 * A[i];
        i++;
        more = i < n;
    }
}
// 1 scop, 1 deep, exact
void counted_by_a_float(int n, double *restrict A, double *restrict B) {
    for (float x = 0; x < 100; x += 1) B[(int)x] = 2 * A[(int)x];
}
// 1 scop, 2 deep, exact
void odd_and_even(int n, double *restrict A, double *restrict B) {
    for (int r = 0; r < 2; r++)
        for (int i = r; i < n; i += 2) B[i] = 2 * A[i];
}
// 1 scop, 1 deep, exact
void twice_a_turn(int n, double *restrict A, double *restrict B) {
    int i;
    for (i = 0; i + 1 < n; i += 2) {
        B[i] = 2 * A[i];
        B[i + 1] = 2 * A[i + 1];
    }
    if (i < n) B[i] = 2 * A[i];
}
// 1 scop, 2 deep, exact
void in_blocks(int n, double *restrict A, double *restrict B) {
    for (int b = 0; b < n; b += 16)
        for (int i = b; i < (b + 16 < n ? b + 16 : n); i++) B[i] = 2 * A[i];
}
// 1 scop, 1 deep, exact
void in_halves(int n, double *restrict A, double *restrict B) {
    int half = n / 2;
    for (int i = 0; i < half; i++) B[i] = 2 * A[i];
    for (int i = half; i < n; i++) B[i] = 2 * A[i];
}
// 1 scop, 1 deep, exact
void within_a_switch(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) switch (i & 1) {
        case 0: B[i] = 2 * A[i]; break;
        default: B[i] = A[i] + A[i];
        }
}
// 1 scop, 1 deep, exact
void restarted(int n, double *restrict A, double *restrict B) {
    int i = 0;
    for (; i < n / 3; i++) B[i] = 2 * A[i];
    for (; i < n; i++) B[i] = 2 * A[i];
}

/* The counter is a member, or behind an address. */

// 1 scop, 1 deep, exact
void member(int n, double *restrict A, double *restrict B) {
    struct { int at, end; } s = {0, n};
    for (; s.at < s.end; s.at++) B[s.at] = 2 * A[s.at];
}
// 1 scop, 1 deep, exact
void behind_an_address(int n, double *restrict A, double *restrict B) {
    int i, *p = &i;
    for (*p = 0; *p < n; ++*p) B[*p] = 2 * A[*p];
}
// 1 scop, 1 deep, exact
void member_behind_an_address(int n, double *restrict A, double *restrict B) {
    struct cursor { int at; double *from, *to; } c = {0, A, B}, *p = &c;
    while (p->at < n) {
        p->to[p->at] = 2 * p->from[p->at];
        p->at++;
    }
}
struct range { int at, end; };
static int more(const struct range *r) { return r->at < r->end; }
static int next(struct range *r) { return r->at++; }
// 1 scop, 1 deep, exact
void iterator_functions(int n, double *restrict A, double *restrict B) {
    struct range r = {0, n};
    while (more(&r)) {
        int i = next(&r);
        B[i] = 2 * A[i];
    }
}
// 1 scop, 1 deep, exact
void one_of_an_array(int n, double *restrict A, double *restrict B) {
    int at[2];
    for (at[0] = 0, at[1] = 1; at[0] < n; at[0]++, at[1]++) B[at[0]] = 2 * A[at[1] - 1];
}
// 1 scop, 1 deep, exact
void written_through_a_parameter(int n, double *restrict A, double *restrict B, int *restrict i) {
    for (*i = 0; *i < n; ++*i) B[*i] = 2 * A[*i];
}

/* Differences of pointers, and bits. */

// 1 scop, 1 deep, exact
void difference(int n, double *restrict A, double *restrict B) {
    for (double *p = A; p < A + n; p++) B[p - A] = 2 * *p;
}
// 1 scop, 1 deep, exact
void difference_is_the_bound(int n, double *restrict A, double *restrict B) {
    double *end = A + n;
    for (ptrdiff_t i = 0; i < end - A; i++) B[i] = 2 * A[i];
}
// 1 scop, 1 deep, exact
void or_of_known_bits(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) B[(2 * i) | 1] = 2 * A[i];
}
// 1 scop, 1 deep, exact
void xor_of_known_bits(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) B[(4 * i) ^ 3] = 2 * A[i];
}
// 1 scop, 1 deep, exact
void low_bits(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) B[i] = 2 * A[i & 7];
}
// 1 scop, 1 deep, exact
void neighbours(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < n; i++) B[i ^ 1] = 2 * A[i];
}
// 1 scop, 1 deep, exact
void rounded_down(int n, double *restrict A, double *restrict B) {
    for (int i = 0; i < (n & ~3); i++) B[i] = 2 * A[i & ~3];
}
// 1 scop, 1 deep, exact
void low_bits_cleared(unsigned n, double *restrict A, double *restrict B) {
    for (unsigned i = 0; i < n; i++) B[i] = 2 * A[(i & 0xfff0u) | (i & 15u)];
}
// 1 scop, 2 deep, exact
void rows_by_a_pointer(int n, double *restrict A, double *restrict B) {
    double *p = A, *q = B;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) *q++ = 2 * *p++;
}
// 1 scop, 2 deep, exact
void rows_by_a_counter(int n, double *restrict A, double *restrict B) {
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++, k++) B[k] = 2 * A[k];
}

/* Recursion in the end. */

// 1 scop, 1 deep, exact
static void rest(int i, int n, double *restrict A, double *restrict B) {
    if (i >= n) return;
    B[i] = 2 * A[i];
    rest(i + 1, n, A, B);
}
void recursion(int n, double *restrict A, double *restrict B) { rest(0, n, A, B); }
