/* Loops that floating-point variables lead. */
#include <stdio.h>

static double a[400];
static float f[400];
static int n;

static void eighths(void)
{
    for (double x = 0.0; x < 1.0; x += 0.125)
        a[(int)(x * 8)] = x;
}

static void tenths(void)
{
    int i = 0;
    for (float x = 0.0f; x < 10.0f; x += 0.1f)
        f[i++] = x;
}

/* The zero on the way is no negative one. */
static void down(void)
{
    int i = 0;
    for (double x = 0.0; x > -2.5; x -= 0.5)
        a[i++] = 1.0 / x;
}

static void halves(void)
{
    int i = 0;
    double x = 1.0;
    do {
        a[i++] += x;
        x /= 2;
    } while (x > 1e-9);
    a[i] = x;
}

static void two_ends(void)
{
    int i = 0;
    double x;
    for (x = 1.0; x != 2.0; x += 0.0625) {
        a[i] += x;
        if (a[i++] > 3.5)
            break;
    }
    a[100] = x;
}

/* 16777216 + 1 is 16777216. */
static void stands_still(void)
{
    int i = 0;
    for (float x = 16777210.0f; x < 16777300.0f; x += 1.0f) {
        f[i++ % 7] = x;
        if (i > 50)
            break;
    }
}

static void rounded_bound(void)
{
    int i = 0;
    for (float x = 0.1f; x <= 0.7f; x += 0.1f)
        f[i++] += x;
}

static void not_at_all(void)
{
    for (double x = 3.0; x < 1.0; x += 1.0)
        a[7] = x;
}

/* Not led by numbers. */
static void to_a_parameter(double end)
{
    int i = 0;
    for (double x = 0.0; x < end; x += 0.25)
        a[i++] = x;
}

static void skipped(void)
{
    int i = 0;
    for (double x = 0.0; x < 8.0; x += 0.5) {
        if (i % 3 == 1)
            x += 1.0;
        a[i++] = x;
    }
}

static void show(const char *name)
{
    double total = 0.0;
    for (int i = 0; i < 400; i++)
        total += (i % 7 + 1) * (a[i] < 1e30 ? a[i] : -3.0) + (i % 5 + 1) * f[i];
    printf("%s %.17g %g\n", name, total, a[0]);
}

int main(void)
{
    for (int i = 0; i < 400; i++)
        a[i] = f[i] = i % 9;
    eighths(), show("eighths");
    tenths(), show("tenths");
    down(), show("down");
    halves(), show("halves");
    two_ends(), show("two_ends");
    stands_still(), show("stands_still");
    rounded_bound(), show("rounded_bound");
    not_at_all(), show("not_at_all");
    to_a_parameter(9.0), show("to_a_parameter");
    skipped(), show("skipped");
    return n;
}
