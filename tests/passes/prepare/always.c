/* Conditions that loops decide, beside such as they do not. */
#include <stdio.h>

static double a[300];
static double told;

__attribute__((noinline)) static void tell(int what)
{
    told = told * 1.0001 + what;
}

static void nested(int n, int m)
{
    for (int i = 0, j = 0; i < n; i++, j++) {
        if (i >= n)
            tell(1);
        if (i < 0)
            tell(2);
        if (2 * i + 1 == 2 * j)
            tell(3);
        if (i < m) {
            if (i < m + 2)
                a[i] += 1;
            else
                tell(4);
            if (i == m)
                tell(5);
            if (i >= m - 1)
                tell(6);
        }
        for (int k = i; k < n; k++) {
            if (k < i)
                tell(7);
            if (k - i > n)
                tell(8);
            if (k > n - 2)
                tell(9);
            a[k] += j;
        }
    }
}

static void down(unsigned n)
{
    for (unsigned i = n; i != 0; i--) {
        if (i > n)
            tell(10);
        if (i - 1 >= n)
            tell(11);
        if (i == 0)
            tell(12);
        a[i] += 1;
    }
}

static void at_least_once(int n)
{
    int i = 0;
    do {
        if (i > n)
            tell(13);
        if (i >= n)
            tell(14);
        a[i] += 1;
        i++;
    } while (i < n);
}

static void left_early(int n)
{
    for (int i = 0; i < n; i++) {
        if (a[i] > 5)
            break;
        if (i > n - 3)
            tell(15);
        if (i > n)
            tell(16);
    }
}

static void behind(int n)
{
    int i;
    for (i = 0; i < n; i++)
        a[i] += 1;
    for (int k = 0; k < 3; k++) {
        if (i < n)
            tell(17);
        if (i > n)
            tell(18);
        tell(k);
    }
}

int main(void)
{
    for (int n = 0; n < 9; n++) {
        for (int m = -1; m < 10; m += 3)
            nested(n, m);
        down((unsigned)n);
        at_least_once(n);
        left_early(n);
        behind(n - 1);
        printf("%d %.17g\n", n, told);
    }
    double total = 0.0;
    for (int i = 0; i < 300; i++)
        total += (i % 7) * a[i];
    printf("%.17g\n", total);
    return 0;
}
