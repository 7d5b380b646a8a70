/* Sums of neighbours along rows, for every length that leaves a rest and every place where a line
   may begin: what is read and written ends at a page that may not be touched, or begins behind
   one. T is the type of the elements. */

#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096
#define LONGEST 75

static char *in, *out; /* two pages each, neither side of which may be touched */

static void three(int n, int m, const T *restrict x, T *restrict y)
{
    for (int i = 1; i < n - 1; i++)
        y[i] = x[i - 1] + (T)2 * x[i] - x[i + 1];
}

static void ahead(int n, int m, const T *restrict x, T *restrict y)
{
    for (int i = 0; i < n - 9; i++)
        y[i] = x[i] * (T)3 + x[i + 2] + x[i + 4] + x[i + 9];
}

static void far(int n, int m, const T *restrict x, T *restrict y)
{
    for (int i = 35; i < n; i++)
        y[i] = x[i] + x[i - 1] - x[i - 2] + x[i - 33] + x[i - 35];
}

static void nine(int n, int m, const T *restrict x, T *restrict y)
{
    int rows = n / m;
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < m - 1; j++)
            y[i * m + j] = x[(i - 1) * m + j - 1] + x[(i - 1) * m + j] +
                           x[(i - 1) * m + j + 1] + x[i * m + j - 1] - x[i * m + j] +
                           x[i * m + j + 1] + x[(i + 1) * m + j - 1] +
                           x[(i + 1) * m + j] + x[(i + 1) * m + j + 1];
}

static void rows(int n, int m, const T *restrict x, T *restrict y)
{
    int rows = n / m;
    for (int i = 2; i < rows - 2; i++)
        for (int j = 0; j < m; j++)
            y[i * m + j] = x[(i - 2) * m + j] + x[(i - 1) * m + j] - x[i * m + j] +
                           x[(i + 1) * m + j] + x[(i + 2) * m + j];
}

static void report(int kernel, int length, int at_end)
{
    unsigned long sum = 0;
    for (int i = 0; i < 2 * PAGE; i++)
        sum = sum * 31 + (unsigned char)out[i];
    printf("%d %d %d %lx\n", kernel, length, at_end, sum);
}

static void test(void)
{
    void (*const all[])(int, int, const T *restrict, T *restrict) = {
        three, ahead, far, nine, rows};
    for (int k = 0; k < 5; k++)
        for (int length = 0; length <= LONGEST; length++)
            for (int at_end = 0; at_end < 2; at_end++) {
                int n = k < 3 ? length : 7 * length;
                char *x = at_end ? in + 2 * PAGE - n * sizeof(T) : in;
                char *y = at_end ? out + 2 * PAGE - n * sizeof(T) : out;
                for (int i = 0; i < n; i++)
                    ((T *)x)[i] = (T)((i * 37 + k) % 101);
                memset(out, 0, 2 * PAGE);
                all[k](n, length ? length : 1, (T *)x, (T *)y);
                report(k, length, at_end);
            }
}

static char *fenced(void)
{
    char *all = mmap(NULL, 4 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(all + PAGE, 2 * PAGE, PROT_READ | PROT_WRITE);
    return all + PAGE;
}

int main(void)
{
    in = fenced();
    out = fenced();
    test();
    return 0;
}
