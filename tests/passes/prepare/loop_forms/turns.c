/* Pointers that change places from one time step to the next. */
#include <stdio.h>

#define N 50

static double a[N], b[N], c[N], image[2][N][N];

static void stencil(double *restrict p, double *restrict q, int n, int steps)
{
    for (int s = 0; s < steps; s++) {
        for (int i = 1; i < n - 1; i++)
            q[i] = 0.25 * p[i - 1] + 0.5 * p[i] + 0.25 * p[i + 1];
        double *old = p;
        p = q;
        q = old;
    }
}

static double *which(double *p, double *q, int n, int steps)
{
    while (steps-- > 0) {
        for (int i = 1; i < n - 1; i++)
            q[i] = p[i - 1] + p[i + 1] - p[i];
        double *old = p;
        p = q;
        q = old;
    }
    q[0] += 1.0;
    return p;
}

static void three(double *p, double *q, double *r, int n, int steps)
{
    for (int s = 1; s <= steps; s++) {
        for (int i = 1; i < n - 1; i++)
            r[i] = 2.0 * q[i] - p[i] + 0.125 * (q[i - 1] - 2.0 * q[i] + q[i + 1]);
        double *old = p;
        p = q;
        q = r;
        r = old;
    }
    p[0] = q[1] - r[2];
}

static void planes(int steps)
{
    double (*from)[N] = image[0], (*to)[N] = image[1];
    int s = 0;
    do {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                to[i][j] = 0.5 * from[i][j] + 0.125 * (from[i - 1][j] + from[i + 1][j]) + 0.125 * from[i][j - 1];
        double (*old)[N] = from;
        from = to;
        to = old;
    } while (++s < steps);
    from[0][0] = s;
}

static int until(double *p, double *q, int n, double limit)
{
    int s;
    for (s = 0; s < 20; s++) {
        double change = 0.0;
        for (int i = 1; i < n - 1; i++) {
            q[i] = 0.5 * (p[i - 1] + p[i + 1]);
            change += (q[i] - p[i]) * (q[i] - p[i]);
        }
        double *old = p;
        p = q;
        q = old;
        if (change < limit)
            break;
    }
    p[0] -= s;
    return s;
}

/* In one array: it is told by the source that they overlap. */
static void within(int steps)
{
    double *p = a, *q = a + 1;
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < N - 1; i++)
            q[i] += 0.5 * p[i];
        double *old = p;
        p = q;
        q = old - (s == 3);
        if (q < a)
            q = a;
    }
}

/* Ends early in the middle of an iteration, behind conditions. */
static int waves(int *level, const int *first, const int *to)
{
    static int queues[2][N];
    int *now = queues[0], *next = queues[1];
    int count = 1, depth = 0;
    now[0] = 0;
    while (count > 0) {
        int found = 0;
        if (depth < 9)
            level[N + depth] = count;
        for (int k = 0; k < count; k++)
            for (int e = first[now[k]]; e < first[now[k] + 1]; e++) {
                if (level[to[e]] >= 0)
                    continue;
                level[to[e]] = depth + 1;
                next[found++] = to[e];
            }
        int *old = now;
        now = next;
        next = old;
        count = found;
        depth++;
    }
    return depth;
}

static int graph(int steps)
{
    static int level[N + 9], first[N + 1], to[2 * N];
    int total = 0;
    for (int i = 0; i < N + 9; i++)
        level[i] = -(i > 0);
    for (int i = 0; i <= N; i++)
        first[i] = 2 * i;
    for (int i = 0; i < N; i++) {
        to[2 * i] = (i * 3 + 1) % N;
        to[2 * i + 1] = (i + steps + 1) % N;
    }
    int depth = waves(level, first, to);
    for (int i = 0; i < N + 9; i++)
        total += (i % 7 + 1) * level[i];
    return 1000 * total + depth;
}

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i * 7 % 13;
        b[i] = i * 5 % 11;
        c[i] = i % 3;
        for (int j = 0; j < N; j++)
            image[0][i][j] = image[1][i][j] = (i * 3 + j) % 7;
    }
}

static void show(const char *name, int steps, double extra)
{
    double total = extra;
    for (int i = 0; i < N; i++) {
        total += (i % 7) * a[i] + (i % 5) * b[i] + (i % 3) * c[i];
        for (int j = 0; j < N; j++)
            total += (i % 3) * image[0][i][j] + (j % 4) * image[1][i][j];
    }
    printf("%s %d %.17g\n", name, steps, total);
}

int main(void)
{
    for (int steps = 0; steps < 8; steps++) {
        fill(), stencil(a, b, N, steps), show("stencil", steps, 0);
        fill(), show("which", steps, which(a, b, N, steps) == a);
        fill(), three(a, b, c, N, steps), show("three", steps, 0);
        fill(), planes(steps), show("planes", steps, 0);
        fill(), show("until", steps, until(a, b, N, steps * 5.0));
        fill(), within(steps), show("within", steps, 0);
        fill(), show("graph", steps, graph(steps));
    }
    return 0;
}
