/* Subscripts that are sums of products, in all the types that they are written in: with sizes for
   which nothing wraps, and with sizes for which the products do and the elements are near again.
   Each function is run for all short sizes, and for wide ones; what it leaves is told. */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 4096
#define BACK 256
static double room[BACK + ROOM], other[BACK + ROOM], sums[BACK + ROOM];

static void size_rows(double *a, size_t first, size_t last, size_t n, size_t m)
{
    for (size_t i = first; i < last; i++)
        for (size_t j = 0; j < m; j++)
            a[i * n + j] = a[i * n + j] * 0.5 + 1.0;
}

static void short_rows(double *a, unsigned first, unsigned last, unsigned n, unsigned m)
{
    for (unsigned i = first; i < last; i++)
        for (unsigned j = 0; j < m; j++)
            a[i * n + j] = a[i * n + j] * 0.5 + 1.0;
}

static void short_rows_walked(double *a, unsigned first, unsigned last, unsigned n, unsigned m)
{
    for (unsigned i = first; i < last; i++) {
        double *row = a + i * n;
        for (unsigned j = 0; j < m; j++)
            row[j] = row[j] * 0.5 + i;
    }
}

static void signed_rows(double *a, int first, int last, int n, int m)
{
    for (int i = first; i < last; i++) {
        double *row = a + (size_t)i * n;
        for (int j = 0; j < m; j++)
            row[j] = row[j] * 0.5 + i;
    }
}

static void differences(double *a, size_t first, size_t last, size_t n, size_t m)
{
    for (size_t i = first + 1; i < last; i++)
        for (size_t j = 1; j < m; j++)
            a[i * n + j] -= a[(i - 1) * n + j] * 0.25 + a[i * n + j - 1] * 0.5;
}

static void short_differences(double *a, unsigned first, unsigned last, unsigned n, unsigned m)
{
    for (unsigned i = first + 1; i < last; i++)
        for (unsigned j = 1; j < m; j++)
            a[i * n + j] -= a[(i - 1) * n + j] * 0.25 + a[i * n + j - 1] * 0.5;
}

static void pixels(double *a, size_t first, size_t last, size_t n, size_t m)
{
    for (size_t i = first; i < last; i++)
        for (size_t j = 0; j < m; j++)
            for (int c = 0; c < 3; c++)
                a[(i * n + j) * 3 + c] = a[(i * n + j) * 3 + c] * 0.5 + c;
}

static void row_sums(double *s, const double *a, size_t first, size_t last, size_t n, size_t m)
{
    for (size_t i = first; i < last; i++) {
        double sum = 0;
        const double *row = a + i * n;
        for (size_t j = 0; j < m; j++)
            sum += row[j] * row[j];
        s[i - first] = sum;
    }
}

static void boxes(double *a, size_t first, size_t last, size_t n, size_t m)
{
    for (size_t i = first; i < last; i++)
        for (size_t j = 0; j < m; j++)
            for (size_t k = 0; k < m; k++)
                a[(i * n + j) * n + k] = a[(i * n + j) * n + k] * 0.5 + j;
}

static void product(double *c, const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double s = 0;
            for (size_t k = 0; k < n; k++)
                s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}

static void fill(void)
{
    for (int i = 0; i < BACK + ROOM; i++) {
        room[i] = (i * 37 % 101) * 0.125 - 5;
        other[i] = (i * 53 % 97) * 0.25 - 9;
        sums[i] = i;
    }
}

static void tell(const char *name, size_t n, size_t m)
{
    const double *all[] = {room, other, sums};
    uint64_t h = 1469598103934665603u;
    for (int which = 0; which < 3; which++)
        for (int i = 0; i < BACK + ROOM; i++) {
            uint64_t bits;
            memcpy(&bits, &all[which][i], 8);
            h = (h ^ bits) * 1099511628211u;
        }
    printf("%s %zu %zu %016llx\n", name, n, m, (unsigned long long)h);
    fill();
}

#define RUN(name, ...) do { name(__VA_ARGS__); tell(#name, n, m); } while (0)

static void run(size_t first, size_t rows, size_t n, size_t m)
{
    double *a = room + BACK, *b = other + BACK, *s = sums + BACK;
    size_t last = first + rows;
    RUN(size_rows, a, first, last, n, m);
    RUN(differences, a, first, last, n, m);
    RUN(row_sums, s, a, first, last, n, m);
    RUN(row_sums, a + 1, a, first, last, n, m);
    if (first == 0) {
        RUN(pixels, a, first, last, n, m);
        if (m <= n && n < 12)
            RUN(boxes, a, first, last < n ? last : n, n, m);
        RUN(product, s, a, b, n < 40 ? n : 3);
        RUN(product, a, a, b, n < 40 ? n : 3);
        RUN(signed_rows, a, 0, (int)last, (int)n, (int)m);
    }
}

static void run_short(unsigned first, unsigned rows, unsigned n, unsigned m)
{
    double *a = room + BACK;
    unsigned last = first + rows;
    RUN(short_rows, a, first, last, n, m);
    RUN(short_rows_walked, a, first, last, n, m);
    RUN(short_differences, a, first, last, n, m);
}

int main(void)
{
    fill();
    for (size_t n = 0; n <= 40; n++)
        for (size_t rows = 0; rows <= 20; rows += n < 10 ? 1 : 7) {
            run(0, rows, n, n);
            run_short(0, (unsigned)rows, (unsigned)n, (unsigned)n);
            run(0, rows, n, n / 2 + 3); /* rows that reach into the next ones */
            run_short(0, (unsigned)rows, (unsigned)n, (unsigned)n / 2 + 3);
        }
    /* 65536 * 65536 is nothing in 32 bits, and 2**32 * 2**32 in 64. */
    for (unsigned m = 0; m <= 40; m++) {
        run_short(65536, 1, 65536, m);
        run_short(1u << 28, 20, 16, m);
        run_short((1u << 30) + 3, 9, 4, m);
        run(1ull << 32, 1, 1ull << 32, m);
        run(1ull << 60, 20, 16, m);
        run((1ull << 62) + 3, 9, 4, m);
        run((1ull << 63) + 2, 9, 8, m);
    }
    return 0;
}
