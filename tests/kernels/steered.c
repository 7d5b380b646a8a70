/* Scalars that loops find, and that steer subscripts afterwards: in the same block, in other
   blocks, in inner and in later loops. */

#include <stdio.h>

#define N 61
#define K 9
#define D 5

static double x[N][D], centre[K][D], sum[K][D], y[N], z[N];
static int count[K], label[N], where[N], M[K][K];

/* k-means: the nearest centre, counted and summed up. */
static void scatter(int n)
{
    for (int i = 0; i < n; i++) {
        double best = 1e30;
        int b = 0;
        for (int k = 0; k < K; k++) {
            double s = 0;
            for (int d = 0; d < D; d++) {
                double t = x[i][d] - centre[k][d];
                s += t * t;
            }
            if (s < best) {
                best = s;
                b = k;
            }
        }
        label[i] = b;
        count[b]++;
        for (int d = 0; d < D; d++)
            sum[b][d] += x[i][d];
    }
}

/* What was found is used twice, in a loop in between and behind it. */
static void argmin_then_rows(int n)
{
    for (int i = 0; i < n; i++) {
        int b = 0;
        for (int k = 1; k < K; k++)
            if (x[i][k % D] < x[i][b % D])
                b = k;
        z[i] += y[b];
        for (int d = 0; d < D; d++)
            centre[b][d] = centre[b][d] * 0.5 + x[i][d];
        y[b] -= 1.0;
    }
}

static void histogram(int n)
{
    for (int i = 0; i < n; i++) {
        int bin = (int)(y[i] * y[i]) % K;
        if (bin < 0)
            bin = -bin;
        count[bin]++;
        for (int d = 0; d < D; d++)
            sum[bin][d] += 1.0;
    }
}

static void nearest_neighbour(int n)
{
    int at = 0;
    for (int step = 1; step < n; step++) {
        int next = -1;
        double least = 1e30;
        for (int j = 0; j < n; j++) {
            double t = y[j] - y[at];
            t = t * t + where[j];
            if (j != at && t < least) {
                least = t;
                next = j;
            }
        }
        where[at] += 100;
        for (int d = 0; d < D; d++)
            x[at][d] += x[next][d];
        at = next;
    }
    for (int d = 0; d < D; d++)
        z[d] += x[at][d];
}

static void conditional_indices(int n)
{
    int p = 0, q = 1;
    for (int i = 0; i < n; i++) {
        if (y[i] > 3.0)
            p = i;
        if (z[i] < 2.0)
            q = p;
        for (int d = 0; d < D; d++)
            x[p][d] += x[q][d] * 0.25;
        z[q] += y[p];
    }
}

static void two_scalars(int n)
{
    for (int i = 0; i < n; i++) {
        int lo = 0, hi = 0;
        for (int k = 0; k < K; k++) {
            if (x[i][k % D] < x[i][lo % D])
                lo = k;
            if (x[i][k % D] > x[i][hi % D])
                hi = k;
        }
        M[lo][hi]++;
        for (int d = 0; d < D; d++) {
            sum[lo][d] += 1.0;
            sum[hi][d] -= x[i][d];
        }
        M[hi][lo] += 2;
    }
}

/* Two that change places at the end of each iteration. */
static void swapped(int n)
{
    int p = 0, q = 1;
    for (int i = 0; i < n; i++) {
        for (int d = 0; d < D; d++)
            x[p][d] = x[q][d] + 1.0;
        int t = p;
        p = q;
        q = (t + 2) % K;
        y[p] += z[q];
    }
    count[p]++;
    count[q] += 5;
}

static void in_three_loops(int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < K; k++) {
            int m = 0;
            for (int d = 0; d < D; d++)
                if (x[i][d] > centre[k][d])
                    m = d;
            for (int l = 0; l < K; l++)
                for (int d = 0; d < D; d++)
                    sum[l][m] += x[i][d] * centre[l][d];
            y[i] += sum[k][m];
        }
}

/* A walk by while: the index is loaded. */
static void chased(int n)
{
    int at = 0;
    for (int i = 0; i < n; i++) {
        at = where[at] % N;
        z[at] += i;
        for (int d = 0; d < D; d++)
            x[at][d] += d;
    }
    y[at] = -1.0;
}

static void while_found(int n)
{
    int i = 0, last = 0;
    while (i < n) {
        if (y[i] < 0.0)
            last = i;
        z[i] += y[last];
        int d = 0;
        while (d < D) {
            x[last][d] += z[i];
            d++;
        }
        i++;
    }
    count[last % K] += last;
}

static void goto_found(int n)
{
    int i = 0, last = 0;
again:
    if (i >= n)
        goto done;
    if (z[i] <= 1.0)
        goto keep;
    last = i;
keep:
    y[last] += 1.0;
    for (int d = 0; d < D; d++)
        x[last][d] -= y[i];
    i++;
    goto again;
done:
    where[0] += last;
}

static void do_while_found(int n)
{
    int i = 0, last = 0;
    do {
        if (x[i][0] > 4.0)
            last = i;
        for (int d = 0; d < D; d++)
            sum[last % K][d] += x[i][d];
        z[last] += 1.0;
        i++;
    } while (i < n);
    count[0] += last;
}

/* The index leaves the loop in which it is found, and steers two more. */
static void found_before(int n)
{
    int b = 0;
    for (int i = 1; i < n; i++)
        if (y[i] > y[b])
            b = i;
    for (int d = 0; d < D; d++)
        x[b][d] = 0.5 * d;
    for (int i = 0; i < n; i++)
        z[i] += y[b] * i;
    where[b]++;
}

static void through_a_pointer(int n)
{
    for (int i = 0; i < n; i++) {
        int b = 0;
        for (int k = 0; k < K; k++)
            if (centre[k][0] > y[i])
                b = k;
        double *row = sum[b];
        row[0] += 1.0;
        for (int d = 1; d < D; d++)
            row[d] += x[i][d];
    }
}

static void counted_with_a_break(int n)
{
    unsigned at = 3;
    int c = 0;
    for (int i = 0; i < n; i++, at += 7) {
        count[at % K]++;
        if (++c > 40)
            break;
    }
    where[1] += c;
}

/* The way round the outer loop starts in the middle of the inner one. */
static void round_from_inside(int n)
{
    int i = 0, b = 0;
    while (i < n) {
        for (int k = 0;; k++) {
            y[b] += 1.0;
            if (k >= i % 4)
                break;
            z[b] += k;
        }
        b = (int)(y[i] * 3.0) % K;
        b = b < 0 ? -b : b;
        i++;
    }
    count[b]++;
}

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        y[i] = (i * 7 + 3) % 11 - 4.0;
        z[i] = (i * 5 + 1) % 7 - 2.0;
        where[i] = (i * 13 + 5) % N;
        label[i] = 0;
        for (int d = 0; d < D; d++)
            x[i][d] = (i * 7 + d * 13) % 29;
    }
    for (int k = 0; k < K; k++) {
        count[k] = 0;
        for (int d = 0; d < D; d++) {
            centre[k][d] = (k * 11 + d * 5) % 23;
            sum[k][d] = 0;
        }
        for (int l = 0; l < K; l++)
            M[k][l] = 0;
    }
}

static void show(const char *name)
{
    double t = 0;
    long s = 0;
    for (int i = 0; i < N; i++) {
        t = t * 0.99 + y[i] * 3 + z[i];
        s = s * 3 % 1000003 + where[i] + label[i];
        for (int d = 0; d < D; d++)
            t = t * 0.99 + x[i][d];
    }
    for (int k = 0; k < K; k++) {
        s = s * 3 % 1000003 + count[k];
        for (int d = 0; d < D; d++)
            t = t * 0.99 + sum[k][d] - centre[k][d] * 0.5;
        for (int l = 0; l < K; l++)
            s = s * 3 % 1000003 + M[k][l];
    }
    printf("%s %.17g %ld\n", name, t, s);
}

#define RUN(f)                                                                                     \
    for (int n = 0; n < 3; n++) {                                                                  \
        fill();                                                                                    \
        f(sizes[n]);                                                                               \
        show(#f);                                                                                  \
    }

int main(void)
{
    static const int sizes[3] = {1, 17, N};
    RUN(scatter)
    RUN(argmin_then_rows)
    RUN(histogram)
    RUN(nearest_neighbour)
    RUN(conditional_indices)
    RUN(two_scalars)
    RUN(swapped)
    RUN(in_three_loops)
    RUN(chased)
    RUN(while_found)
    RUN(goto_found)
    RUN(do_while_found)
    RUN(found_before)
    RUN(through_a_pointer)
    RUN(counted_with_a_break)
    RUN(round_from_inside)
    return 0;
}
