/* Control flow that regions and statements could be wrong about: loops that share headers, that
   are left from many places or entered in the middle, and what is behind them. */

#include <stdio.h>
#include <stdlib.h>

#define N 61

static double a[N], b[N], c[N];
static int w[N], calls;

static __attribute__((noinline)) int more(int most)
{
    calls++;
    return calls % (most + 1) != 0;
}

static __attribute__((noinline, noreturn)) void stop(void)
{
    puts("stopped");
    exit(3);
}

static __attribute__((noinline)) void do_while_then_loop(int n)
{
    do { a[0] += 1.0; } while (more(3));
    for (int i = 1; i < n; i++) a[i] = b[i] * 2 + a[i - 1];
}

static __attribute__((noinline)) void do_while_between_loops(int n)
{
    for (int i = 0; i < n; i++) b[i] = a[i] + 1.0;
    do { a[3] -= 1.0; b[2] += 2.0; } while (more(2));
    for (int i = 0; i < n; i++) c[i] = b[i] * a[i];
}

static __attribute__((noinline)) void do_while_counted(int n)
{
    int i = 0;
    do { a[i] += b[i]; i += 2; } while (i < n);
    c[i % N] = i;
}

static __attribute__((noinline)) void do_while_in_loop(int n)
{
    for (int i = 0; i < n; i++) {
        int k = 0;
        do { c[i] += b[k]; k++; } while (k < i);
        a[i] = k;
    }
}

static __attribute__((noinline)) void do_while_data(int n)
{
    int i = 0;
    do { c[i] = a[i] + b[i]; i++; } while (i < n && c[i - 1] < 9.0);
    b[0] = i;
}

static __attribute__((noinline)) void irreducible_then_loop(int n)
{
    int k = 0;
    if (n & 1) goto mid;
    top: k += more(2);
    mid: k += more(4) + 1;
    if (k < n / 4) goto top;
    for (int i = 0; i < n; i++) a[i] += k;
}

static __attribute__((noinline)) void irreducible_with_stores(int n)
{
    int i = 0;
    if (n & 1) goto mid;
    top: a[i] += 1.0;
    mid: b[i] += a[i]; i++;
    if (i < n) goto top;
    for (int j = 0; j < n; j++) c[j] = a[j] - b[j];
}

static __attribute__((noinline)) void loop_then_irreducible(int n)
{
    for (int i = 0; i < n; i++) c[i] = a[i] * b[i];
    int k = 0;
    if (more(1)) goto mid;
    top: a[k % N] += 1.0;
    mid: k++;
    if (k < 5) goto top;
}

static __attribute__((noinline)) void irreducible_in_loop(int n)
{
    for (int i = 0; i < n; i++) {
        int k = 0;
        if (i & 1) goto mid;
        top: a[i] += k;
        mid: k++;
        if (k < 3) goto top;
        for (int j = 0; j < n; j++) c[j] += a[i];
    }
}

static __attribute__((noinline)) void break_on_data(int n)
{
    int i;
    for (i = 0; i < n; i++) { if (a[i] > 5.0) break; b[i] += a[i]; }
    for (int j = i; j < n; j++) c[j] = b[j];
}

static __attribute__((noinline)) void break_and_continue(int n)
{
    for (int i = 0; i < n; i++) {
        if (i % 3 == 1) continue;
        if (i == 40) break;
        a[i] += b[i];
    }
}

static __attribute__((noinline)) void inner_break_leaves_two(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (j > i) goto out;
            c[j] += a[i];
            if (i + j > 50) goto done;
        }
    out: a[0] += 1.0;
    done: b[0] += 1.0;
}

static __attribute__((noinline)) void exits_to_different_places(int n)
{
    int i = 0;
    for (;;) {
        if (i >= n) goto one;
        a[i] += 1.0;
        if (b[i] > 5.0) goto two;
        i++;
    }
    one: c[0] = -1.0; return;
    two: c[0] = i;
    for (int j = 0; j < i; j++) c[j] += b[j];
}

static __attribute__((noinline)) void early_return(int n)
{
    for (int i = 0; i < n; i++) a[i] = i * 0.5;
    if (a[n - 1] > 20.0) return;
    for (int i = 0; i < n; i++) b[i] = a[i] + c[i];
}

static __attribute__((noinline)) void return_inside(int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) c[j] += 1.0;
        if (a[i] > 7.0) return;
        a[i] += 1.0;
    }
    b[0] = 77.0;
}

static __attribute__((noinline)) void two_loops_one_header(int n)
{
    int i = 0, k = 0;
    again:
    if (i < n) {
        a[i] += k;
        i++;
        if (i % 5 == 0) goto again;
        b[i % N] += 1.0;
        k++;
        goto again;
    }
    c[0] = k;
}

static __attribute__((noinline)) void shared_header_bounds(int n)
{
    int i = 0, j = 0;
    head:
    if (j < 7) { c[j] += a[i]; j++; goto head; }
    j = 0; i++;
    if (i < n) goto head;
}

static __attribute__((noinline)) void empty_loops(int n)
{
    for (int i = 0; i < n; i++) ;
    int k = 0;
    while (k < n) k++;
    for (int i = 0; i < k; i++) a[i] = k;
    for (int i = 5; i < 5; i++) b[i] = 0.0;
}

static __attribute__((noinline)) void empty_inner(int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) ;
        a[i] += 1.0;
        for (int j = i; j < i; j++) a[j] = 0;
    }
}

static __attribute__((noinline)) void switch_inside(int n)
{
    for (int i = 0; i < n; i++)
        switch (i % 5) {
        case 0: a[i] = 1.0; break;
        case 1: b[i] = 2.0; /* fall through */
        case 2: c[i] = 3.0; break;
        case 3: continue;
        default: a[i] += b[i];
        }
}

static __attribute__((noinline)) void switch_on_data(int n)
{
    for (int i = 0; i < n; i++) {
        double t;
        switch (w[i] & 3) {
        case 0: t = 1.0; break;
        case 1: t = 2.0; break;
        case 3: t = a[i]; break;
        default: t = b[i];
        }
        c[i] += t;
    }
}

static __attribute__((noinline)) void switch_breaks_out(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        switch (w[i] & 7) {
        case 5: s += 2; goto out;
        case 1: s++; break;
        default: a[i] += s;
        }
        b[i] = s;
    }
    out: c[0] = s;
}

static __attribute__((noinline)) void switch_same_target(int n)
{
    for (int i = 0; i < n; i++) {
        int k = 0;
        switch (i & 3) { case 0: k = 1; break; case 1: k = 7; break; case 2: k = 3; }
        c[k] += a[i];
        b[i] = k;
    }
}

static __attribute__((noinline)) void duff(int n)
{
    int k = 0, m = (n + 3) / 4;
    switch (n & 3) {
    case 0: do { a[k++ % N] += 1.0;
    case 3: a[k++ % N] += 2.0;
    case 2: a[k++ % N] += 3.0;
    case 1: a[k++ % N] += 4.0;
    } while (--m > 0);
    }
    for (int i = 0; i < n; i++) b[i] += a[i];
}

static __attribute__((noinline)) void scalar_across(int n)
{
    double s = 0.0;
    for (int i = 0; i < n; i++) s += a[i];
    for (int i = 0; i < n; i++) b[i] = s - a[i];
    s = s * 0.5;
    for (int i = 0; i < n; i++) c[i] = s + b[i];
}

static __attribute__((noinline)) void last_value(int n)
{
    double last = 0.0; int at = -1;
    for (int i = 0; i < n; i++) if (a[i] > b[i]) { last = a[i]; at = i; }
    c[0] = last; c[1] = at;
    for (int i = 0; i < n; i++) b[i] += last;
}

static __attribute__((noinline)) void iterator_after(int n)
{
    int i, j = 0;
    for (i = 0; i < n; i += 3) a[i] += 1.0;
    for (; j < i; j += 2) c[j % N] += i;
    b[0] = i + j;
}

static __attribute__((noinline)) void first_match(int n)
{
    int i = 0;
    while (i < n && a[i] < 6.0) i++;
    for (int j = 0; j < i; j++) b[j] += c[j];
    c[0] = i;
}

static __attribute__((noinline)) void search_and_flag(int n)
{
    int found = 0;
    for (int i = 0; i < n && !found; i++) { b[i] += 1.0; if (a[i] == 5.0) found = i + 1; }
    for (int i = 0; i < n; i++) c[i] += found;
}

static __attribute__((noinline)) void endless_with_break(int n)
{
    int i = 0;
    for (;;) { a[i] = b[i] + i; if (++i == n) break; }
    for (int j = 0; j < n; j++) c[j] += a[j];
}

static __attribute__((noinline)) void endless_with_return(int n)
{
    int i = 0;
    while (1) {
        for (int j = 0; j < n; j++) c[j] += a[i];
        if (++i >= n / 2) return;
    }
}

static __attribute__((noinline)) void endless_on_one_path(int n)
{
    for (int i = 0; i < n; i++) a[i] += 1.0;
    if (n < 0) for (;;) b[0] += 1.0;
    for (int i = 0; i < n; i++) c[i] = a[i];
}

static __attribute__((noinline)) void exit_on_one_path(int n)
{
    for (int i = 0; i < n; i++) a[i] += 1.0;
    if (n < 0) stop();
    for (int i = 0; i < n; i++) c[i] = a[i];
}

static __attribute__((noinline)) void exit_inside(int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) c[j] += a[i];
        if (a[i] > 1e6) stop();
        b[i] = c[i];
    }
}

static __attribute__((noinline)) void pointers_stored(int n)
{
    static double *p[N];
    for (int i = 0; i < n; i++) p[i] = &a[n - 1 - i];
    for (int i = 0; i < n; i++) b[i] += *p[i];
    for (int i = 0; i < n; i++) *p[i] = i;
}

static __attribute__((noinline)) void pointer_one_target(int n)
{
    static double *p[N];
    for (int i = 0; i < n; i++) p[i] = &a[0];
    for (int i = 0; i < n; i++) *p[i] += i;
}

static __attribute__((noinline)) void pointers_swapped(int n)
{
    double *p = a, *q = b;
    for (int t = 0; t < 4; t++) {
        for (int i = 1; i < n; i++) q[i] = p[i - 1] + p[i];
        double *r = p; p = q; q = r;
    }
    c[0] = p[n - 1];
}

static __attribute__((noinline)) void rows_swapped(int n)
{
    static double *rows[4];
    for (int i = 0; i < 4; i++) rows[i] = &a[i * 10];
    for (int i = 0; i < 3; i++) { double *t = rows[i]; rows[i] = rows[i + 1]; rows[i + 1] = t; }
    for (int i = 0; i < 4; i++) for (int j = 0; j < 10; j++) rows[i][j] += i;
}

static __attribute__((noinline)) void linked(int n)
{
    int at = 0;
    for (int i = 0; i < n; i++) { a[at] += i; at = w[at]; }
    b[at] += 1.0;
}

static __attribute__((noinline)) void comma_and_ternary(int n)
{
    for (int i = 0, j = n - 1; i < j; i++, j--) { double t = a[i]; a[i] = a[j]; a[j] = t; c[i] = i & 1 ? a[i] : b[j]; }
}

static __attribute__((noinline)) void downwards(int n)
{
    for (int i = n - 1; i >= 0; i--) { a[i] += i ? a[i - 1] : 0.0; b[n - 1 - i] = a[i]; }
    unsigned k = n;
    while (k-- > 0) c[k] += b[k];
}

static __attribute__((noinline)) void unsigned_counter(int n)
{
    unsigned i = 0;
    do { a[i % N] += 1.0; i += 3; } while (i < (unsigned)n * 2);
    b[0] = i;
}

static __attribute__((noinline)) void conditions_nested(int n)
{
    for (int i = 0; i < n; i++) {
        if (a[i] > 3.0) { if (b[i] > 2.0) { c[i] = 1.0; continue; } else c[i] = 2.0; }
        else if (b[i] > 4.0) c[i] = 3.0;
        a[i] -= 1.0;
    }
}

static __attribute__((noinline)) void shortcut(int n)
{
    for (int i = 1; i < n; i++)
        if ((a[i] > 1.0 && b[i] < 5.0) || (c[i] == 0.0 && a[i - 1] > 2.0)) b[i] = a[i] + c[i - 1];
}

static __attribute__((noinline)) void call_between(int n)
{
    for (int i = 0; i < n; i++) { a[i] += 1.0; if (i % 8 == 0) c[0] += more(3); for (int j = 0; j < i; j++) b[j] += a[i]; }
}

static __attribute__((noinline)) void call_first(int n)
{
    while (more(3)) { for (int i = 0; i < n; i++) a[i] += b[i]; }
    for (int i = 0; i < n; i++) c[i] += a[i];
}

static __attribute__((noinline)) void values_out_of_inner(int n)
{
    for (int i = 0; i < n; i++) {
        int j; double s = 0.0;
        for (j = 0; j < i && a[j] < 8.0; j++) s += b[j];
        c[i] = s + j;
    }
}

static __attribute__((noinline)) void swap_scalars(int n)
{
    double p = 1.0, q = 2.0;
    for (int i = 0; i < n; i++) { double t = p + a[i]; p = q; q = t; }
    c[0] = p; c[1] = q;
}

static __attribute__((noinline)) void three_rotating(int n)
{
    int p = 0, q = 1, r = 2;
    for (int i = 0; i < n; i++) { a[p] += b[q] * c[r]; int t = p; p = q; q = r; r = (t + 1) % N; }
    b[p] += q; c[q] += r;
}

static __attribute__((noinline)) void goto_over(int n)
{
    int i = 0;
    if (n > 30) goto second;
    for (i = 0; i < n; i++) a[i] += 1.0;
    second:
    for (int j = 0; j < n; j++) b[j] += a[j] + i;
}

static __attribute__((noinline)) void goto_into_if(int n)
{
    for (int i = 0; i < n; i++) {
        if (i % 4 == 3) goto common;
        if (a[i] > 4.0) { b[i] += 1.0; common: c[i] += b[i]; }
        a[i] += c[i];
    }
}

static __attribute__((noinline)) void accumulated_twice(int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) { if (a[i] > 2.0) c[k++] = a[i]; if (b[i] > 2.0) k += 1; if (k >= N) break; }
    b[0] = k;
}

static __attribute__((noinline)) void saturating(int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) { k = k + 3 < N ? k + 3 : N - 1; a[k] += i; }
    for (int i = 0; i < k; i++) c[i] += a[i];
}

static __attribute__((noinline)) void chars(int n)
{
    static char s[N]; int words = 0, in = 0;
    for (int i = 0; i < n; i++) s[i] = w[i] % 4 ? 'x' : ' ';
    for (int i = 0; i < n; i++) { if (s[i] == ' ') in = 0; else if (!in) { in = 1; words++; } b[words % N] += in; }
    c[0] = words;
}

static __attribute__((noinline)) void long_and_short(int n)
{
    long s = 0; short h = 0; unsigned char u = 0;
    for (int i = 0; i < n; i++) { s += w[i]; h += w[i] * 300; u += w[i]; a[u % N] += h; }
    c[0] = s; c[1] = h; c[2] = u;
}

static void fill(void)
{
    calls = 0;
    for (int i = 0; i < N; i++) {
        a[i] = (i * 7 + 3) % 11 - 1.0;
        b[i] = (i * 5 + 1) % 7;
        c[i] = (i * 3) % 5 * 0.5;
        w[i] = (i * 13 + 5) % N;
    }
}

static void show(const char *name)
{
    double t = 0;
    for (int i = 0; i < N; i++)
        t = t * 0.99 + a[i] * 3 + b[i] - c[i] * 2;
    printf("%s %.17g %d\n", name, t, calls);
}

#define RUN(f)                                                                                     \
    for (int n = 0; n < 3; n++) {                                                                  \
        fill();                                                                                    \
        f(sizes[n]);                                                                               \
        show(#f);                                                                                  \
    }

int main(void)
{
    static const int sizes[3] = {1, 38, N};
    RUN(do_while_then_loop)
    RUN(do_while_between_loops)
    RUN(do_while_counted)
    RUN(do_while_in_loop)
    RUN(do_while_data)
    RUN(irreducible_then_loop)
    RUN(irreducible_with_stores)
    RUN(loop_then_irreducible)
    RUN(irreducible_in_loop)
    RUN(break_on_data)
    RUN(break_and_continue)
    RUN(inner_break_leaves_two)
    RUN(exits_to_different_places)
    RUN(early_return)
    RUN(return_inside)
    RUN(two_loops_one_header)
    RUN(shared_header_bounds)
    RUN(empty_loops)
    RUN(empty_inner)
    RUN(switch_inside)
    RUN(switch_on_data)
    RUN(switch_breaks_out)
    RUN(switch_same_target)
    RUN(duff)
    RUN(scalar_across)
    RUN(last_value)
    RUN(iterator_after)
    RUN(first_match)
    RUN(search_and_flag)
    RUN(endless_with_break)
    RUN(endless_with_return)
    RUN(endless_on_one_path)
    RUN(exit_on_one_path)
    RUN(exit_inside)
    RUN(pointers_stored)
    RUN(pointer_one_target)
    RUN(pointers_swapped)
    RUN(rows_swapped)
    RUN(linked)
    RUN(comma_and_ternary)
    RUN(downwards)
    RUN(unsigned_counter)
    RUN(conditions_nested)
    RUN(shortcut)
    RUN(call_between)
    RUN(call_first)
    RUN(values_out_of_inner)
    RUN(swap_scalars)
    RUN(three_rotating)
    RUN(goto_over)
    RUN(goto_into_if)
    RUN(accumulated_twice)
    RUN(saturating)
    RUN(chars)
    RUN(long_and_short)
    return 0;
}
