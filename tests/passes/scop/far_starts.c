/* Subscripts with constant factors, in 64 bits without a sign: for starts where nothing wraps, and
   for starts where the products do and the elements are near again, or are those that are read. */

#include <stddef.h>
#include <stdio.h>

#define ROOM 4096
static double room[ROOM];

static void scaled(double *a, size_t n, size_t start)
{
    for (size_t i = 0; i < n; i++)
        a[16 * start + i + 1] += a[i] * 0.5 + 1.0;
}

static void rows(double *a, size_t n, size_t m, size_t start)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            a[20 * i + j + 3 * start] = a[20 * i + j + 3 * start] * 0.5 + a[j];
}

static void in_front(double *a, size_t n, size_t start)
{
    for (size_t i = 0; i < n; i++)
        a[start + i - 3] += a[i] * 0.25 + 1.0;
}

static void in_front_of_rows(double *a, size_t n, size_t m, size_t start)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            a[24 * start + 32 * i + j - 5] += a[24 * start + 32 * i + j - 6] + a[j];
}

static void tell(const char *name, size_t start, size_t n)
{
    double sum = 0;
    for (int k = 0; k < ROOM; k++)
        sum = sum * 0.99951171875 + room[k];
    printf("%s %zx %zu %a\n", name, start, n, sum);
    for (int k = 0; k < ROOM; k++)
        room[k] = k % 37 * 0.125;
}

int main(void)
{
    static const size_t starts[] = {0, 1, 2, 7, 5, 64};
    static const int bits[] = {0, 60, 61, 62, 63};
    double *middle = room + 1024;
    tell("begin", 0, 0);
    for (int k = 0; k < 6; k++)
        for (int b = 0; b < 5; b++)
            for (size_t n = 0; n < 40; n += 13) {
                size_t far = bits[b] ? (size_t)1 << bits[b] : 0, start = far + starts[k];
                scaled(middle, n, start), tell("scaled", start, n);
                if (far == 0)
                    rows(middle, n, 17, start), tell("rows", start, n);
                if (far == 0)
                    in_front(middle, n, start), tell("in front", start, n);
                if (bits[b] != 60)
                    in_front_of_rows(middle, n, n, start), tell("in front of rows", start, n);
            }
    for (size_t n = 0; n < 40; n += 13) {
        scaled(middle, n, (size_t)-3), tell("scaled", (size_t)-3, n);
        rows(middle, n, 17, (size_t)-9), tell("rows", (size_t)-9, n);
        in_front(middle, n, (size_t)-20), tell("in front", (size_t)-20, n);
        in_front_of_rows(middle, n, n, (size_t)-11), tell("in front of rows", (size_t)-11, n);
    }
    return 0;
}
