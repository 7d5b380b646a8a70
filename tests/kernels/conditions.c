/* Loops in which data decide: what is stored, what is loaded, and whether anything is. Each
   function is one static control part. */

#include <stdio.h>

#define N 67

static double a[N], b[N], c[N], d[N], A[N][N], B[N][N];
static int which[N];

static void one_arm(void)
{
    for (int i = 0; i < N; i++)
        if (b[i] > 0.0)
            a[i] = b[i] * c[i];
}

static void two_arms(void)
{
    for (int i = 0; i < N; i++)
        if (b[i] > 0.0)
            a[i] = b[i] * c[i];
        else
            d[i] = a[i];
}

static void jumps(void)
{
    for (int i = 0; i < N; i++) {
        if (a[i] > 0.0)
            goto positive;
        b[i] = -b[i] + d[i];
        if (b[i] <= a[i])
            goto next;
        c[i] += a[i] * d[i];
        goto next;
    positive:
        c[i] = d[i] - c[i];
    next:;
    }
}

static void nested(void)
{
    for (int i = 0; i < N; i++)
        if (a[i] > 0.0) {
            if (b[i] > a[i])
                c[i] += b[i] * d[i];
            else
                c[i] -= 1.0;
        }
}

static void several_conditions(void)
{
    for (int i = 0; i < N; i++)
        if ((a[i] > 0.0 && b[i] < 0.5) || c[i] > d[i]) {
            a[i] = c[i];
            d[i] += 1.0;
        }
}

static void chain(void)
{
    for (int i = 0; i < N; i++)
        if (a[i] > 0.5)
            b[i] = 1.0;
        else if (a[i] > 0.0)
            c[i] = 2.0;
        else if (a[i] > -0.5)
            d[i] += 4.0;
        else
            a[i] = 0.0;
}

static void skips(void)
{
    for (int i = 0; i < N; i++) {
        if (a[i] > 0.0)
            continue;
        b[i] = 1.0;
        if (c[i] > 0.0)
            continue;
        d[i] = 3.0;
    }
}

static void carried(void)
{
    for (int i = 1; i < N; i++)
        if (b[i] > 0.0)
            a[i] = a[i - 1] + b[i];
}

static void columns(void)
{
    for (int j = 0; j < N; j++)
        for (int i = 1; i < N; i++)
            if (B[i][j] > 0.0)
                A[i][j] = A[i - 1][j] * B[i][j];
}

static void affine_as_well(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            if (A[i][j] > 0.0) {
                if (i < j)
                    B[i][j] += 1.0;
                else
                    B[j][i] += 2.0;
            }
            if (i + 3 < j && B[i][j] < 0.5)
                A[i][j] = 0.25;
        }
}

static void may_trap(void)
{
    for (int i = 0; i < N; i++)
        if (which[i] != 0)
            a[i] = 100 / which[i];
}

static void may_be_outside(void)
{
    for (int i = 0; i < N; i++) {
        int k = which[i] * 20;
        if (k >= 0 && k < N)
            a[k] += b[i];
    }
}

static void cases(void)
{
    for (int i = 0; i < N; i++)
        switch (which[i]) {
        case 1:
            a[i] += b[i] * b[i];
            break;
        case 2:
        case 5:
            a[i] += c[i] * c[i];
            break;
        case 3:
            break;
        case -1:
            a[i] = d[i];
            break;
        default:
            b[i] = 1.0;
        }
}

static void value_of_the_condition(void)
{
    for (int i = 0; i < N; i++) {
        int k;
        if (a[i] > 0.0 && (k = which[i]) >= 0)
            c[k] = 1.5;
        else
            d[i] = 1.0;
    }
}

static int count(void)
{
    int n = 0;
    for (int i = 0; i < N; i++)
        if (a[i] > 0.0) {
            n++;
            if (b[i] > 0.0)
                n += 2;
        }
    return n;
}

static double sum(void)
{
    double s = 0.0;
    for (int i = 0; i < N; i++)
        if (a[i] > 0.0)
            s += a[i] * b[i];
    return s;
}

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i * 7 % 11 / 11.0 - 0.5;
        b[i] = i * 5 % 13 / 13.0 - 0.5;
        c[i] = i * 3 % 7 / 7.0 - 0.4;
        d[i] = i * 2 % 9 / 9.0 - 0.3;
        which[i] = i * 4 % 9 - 2;
        for (int j = 0; j < N; j++) {
            A[i][j] = (i * 3 + j * 5) % 17 / 17.0 - 0.5;
            B[i][j] = (i * 7 + j * 2) % 19 / 19.0 - 0.4;
        }
    }
}

static void show(const char *name, double result)
{
    const void *arrays[] = { a, b, c, d, A, B };
    unsigned long sizes[] = { sizeof a, sizeof b, sizeof c, sizeof d, sizeof A, sizeof B };
    unsigned long hash = 14695981039346656037UL;
    for (int k = 0; k < 6; k++) {
        const unsigned char *bytes = arrays[k];
        for (unsigned long i = 0; i < sizes[k]; i++)
            hash = (hash ^ bytes[i]) * 1099511628211UL;
    }
    printf("%s %016lx %a\n", name, hash, result);
}

#define RUN(name) fill(), name(), show(#name, 0.0)

int main(void)
{
    RUN(one_arm);
    RUN(two_arms);
    RUN(jumps);
    RUN(nested);
    RUN(several_conditions);
    RUN(chain);
    RUN(skips);
    RUN(carried);
    RUN(columns);
    RUN(affine_as_well);
    RUN(may_trap);
    RUN(may_be_outside);
    RUN(cases);
    RUN(value_of_the_condition);
    fill(), show("count", count());
    fill(), show("sum", sum());
    return 0;
}
