/* Recursion at the end of functions, local structs, and locals reached by pointers. */
#include <stdio.h>
#include <string.h>

#define N 40

static double a[N + 8], b[N + 8];

static void scale(double *x, int i, int n, double s)
{
    if (i >= n)
        return;
    x[i] *= s;
    scale(x, i + 1, n, s);
}

static int gcd(int x, int y)
{
    return y == 0 ? x : gcd(y, x % y);
}

static double sum(const double *x, int n, double total)
{
    if (n == 0)
        return total;
    return sum(x + 1, n - 1, total + x[0]);
}

/* The pointers change places, and the second argument is computed from the first. */
static double turns(double *x, double *y, int n)
{
    if (n <= 0)
        return x[0] - y[0];
    x[n % N] += y[n % N] * 0.5;
    return turns(y, x, n - 1);
}

/* Two calls at different places; one of them is not at the end. */
static int walk(int n, int depth)
{
    int local = n * 3;
    if (n <= 0)
        return depth;
    if (n % 3 == 0)
        return walk(n - 2, depth + local);
    int more = walk(n / 2, 1);
    return walk(n - 1 - more % 2, depth + 1);
}

/* Each call has a variable of its own, which the next one reads. */
static int chain(int n, const int *before)
{
    int own = n + (before ? *before : 0);
    if (n == 0)
        return own;
    return chain(n - 1, &own);
}

struct range {
    int low, high, step;
    double weight;
};

static void by_members(int n)
{
    struct range r = {1, n, 1, 0.25};
    for (int i = r.low; i < r.high; i += r.step)
        a[i] = a[i - 1] * r.weight + b[i];
}

static void members_change(int n)
{
    struct range r;
    r.weight = 2.0;
    for (r.low = 0, r.high = n; r.low < r.high; r.low++) {
        a[r.low] *= r.weight;
        r.weight = -r.weight;
    }
}

/* Other bytes of the same object are read: it stays an object. */
static int other_bytes(int n)
{
    struct {
        short low, high;
    } r;
    r.low = (short)n;
    r.high = (short)(n + 1);
    int both;
    memcpy(&both, &r, sizeof both);
    return both;
}

static int punned(int n)
{
    union {
        float f;
        int i;
    } u;
    u.f = n * 1.5f;
    return u.i;
}

static void through_pointers(int n)
{
    int m, k = 1, *p = &m, *q = &k;
    *p = n;
    *q += 1;
    for (int i = 0; i < m; i++)
        b[i] = a[i] * k;
}

/* Either variable may be meant. */
static int either(int n)
{
    int x = 1, y = 2, *p = n % 2 ? &x : &y;
    *p = n;
    return 10 * x + y;
}

static void show(const char *name, int n, double value)
{
    double total = value;
    for (int i = 0; i < N; i++)
        total += (i % 5 + 1) * a[i] + (i % 3) * b[i];
    printf("%s %d %.17g\n", name, n, total);
}

static void fill(void)
{
    for (int i = 0; i < N + 8; i++) {
        a[i] = 1 + i % 7 * 0.5;
        b[i] = 2 - i % 4 * 0.25;
    }
}

#define VALUE(call) fill(), show(#call, n, call)
#define DO(call) fill(), call, show(#call, n, 0)

int main(void)
{
    for (int n = 0; n < 24; n += 1 + n / 4) {
        DO(scale(a, 0, n, 1.5));
        VALUE(gcd(n * 12, 90));
        VALUE(sum(a, n, 0.5));
        VALUE(turns(a, b, n));
        VALUE(walk(n, 0));
        VALUE(chain(n, 0));
        DO(by_members(n));
        DO(members_change(n));
        VALUE(other_bytes(n));
        VALUE(punned(n));
        DO(through_pointers(n));
        VALUE(either(n));
    }
    return 0;
}
