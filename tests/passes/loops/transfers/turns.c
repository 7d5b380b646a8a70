/* Groups of two, three and four elements that lie side by side, computed from such groups: for
   every length that leaves a rest, at the end of a page that may not be touched and at its
   beginning, into other arrays, in place and into arrays that overlap. T is the type of the
   elements. With KERNELS only those are compiled, else only what runs them. */

#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096
#define LONGEST 70
#define IN const T *x, const T *w
typedef struct { T re, im; } Pair;
typedef T Row[2];

#ifdef KERNELS

void products(int n, IN, T *y)
{
    for (int i = 0; i < n; i++) {
        T a = x[2 * i], b = x[2 * i + 1], c = w[2 * i], d = w[2 * i + 1];
        y[2 * i] = a * c - b * d;
        y[2 * i + 1] = b * c + a * d;
    }
}

void conjugated(int n, IN, T *y)
{
    const Row *p = (const Row *)x, *q = (const Row *)w;
    Row *z = (Row *)y;
    for (int i = 0; i < n; i++) {
        z[i][0] = p[i][0] * q[i][0] + p[i][1] * q[i][1];
        z[i][1] = p[i][1] * q[i][0] - p[i][0] * q[i][1];
    }
}

void scaled_and_added(int n, IN, T *y)
{
    const Pair *p = (const Pair *)x;
    Pair *z = (Pair *)y;
    T a = w[0], b = w[1];
    for (int i = 0; i < n; i++) {
        z[i].re += a * p[i].re - b * p[i].im;
        z[i].im += b * p[i].re + a * p[i].im;
    }
}

void other_signs(int n, IN, T *y)
{
    Row *z = (Row *)y;
    for (int i = 0; i < n; i++) {
        z[i][0] = x[2 * i];
        z[i][1] = -x[2 * i + 1];
    }
}

void windowed(int n, IN, T *y)
{
    for (int i = 0; i < n; i++) {
        y[2 * i] = w[i] * x[2 * i + 1];
        y[2 * i + 1] = w[i] * x[2 * i];
    }
}

void butterflies(int n, IN, T *y)
{
    for (int i = 0; i < n / 2; i++) {
        int k = i + n / 2;
        T a = w[2 * i] * y[2 * k] - w[2 * i + 1] * y[2 * k + 1];
        T b = w[2 * i] * y[2 * k + 1] + w[2 * i + 1] * y[2 * k];
        T c = y[2 * i], d = y[2 * i + 1];
        y[2 * i] = c + a, y[2 * i + 1] = d + b;
        y[2 * k] = c - a, y[2 * k + 1] = d - b;
    }
}

void threes(int n, IN, T *y)
{
    for (int i = 0; i < n; i++) {
        y[3 * i] = x[3 * i] * w[0] + w[3 * i];
        y[3 * i + 1] = x[3 * i + 1] * w[1] + w[3 * i + 1];
        y[3 * i + 2] = x[3 * i + 2] * w[2] + w[3 * i + 2];
    }
}

void turned_threes(int n, IN, T *y)
{
    for (int i = 0; i < n; i++) {
        y[3 * i] = x[3 * i + 1] * w[3 * i + 2] - x[3 * i + 2] * w[3 * i + 1];
        y[3 * i + 1] = x[3 * i + 2] * w[3 * i] - x[3 * i] * w[3 * i + 2];
        y[3 * i + 2] = x[3 * i] * w[3 * i + 1] - x[3 * i + 1] * w[3 * i];
    }
}

void with_opacity(int n, IN, T *y)
{
    for (int i = 0; i < n; i++) {
        T a = x[4 * i + 3];
        for (int c = 0; c < 3; c++)
            y[4 * i + c] = x[4 * i + c] * a + w[4 * i + c];
        y[4 * i + 3] = a;
    }
}

void sums_and_differences(int n, IN, T *y)
{
    for (int i = 0; i < n; i++) {
        T a = x[4 * i] + x[4 * i + 2], b = x[4 * i] - x[4 * i + 2];
        T c = x[4 * i + 1] + x[4 * i + 3], d = x[4 * i + 1] - x[4 * i + 3];
        y[4 * i] = a + c;
        y[4 * i + 1] = b + d;
        y[4 * i + 2] = a - c;
        y[4 * i + 3] = b - d;
    }
}

void two_arrays(int n, IN, T *y)
{
    for (int i = 0; i < n; i++) {
        y[2 * i] = x[2 * i] + w[2 * i];
        y[2 * i + 1] = w[2 * i + 1] - (T)3 * x[2 * i];
    }
}

#else

typedef void Kernel(int, IN, T *);
Kernel products, conjugated, scaled_and_added, other_signs, windowed, butterflies, two_arrays;
Kernel threes, turned_threes, with_opacity, sums_and_differences;

static char *in, *out; /* two pages each, neither side of which may be touched */

static const T specials[] = {
#ifdef IS_FLOAT
    0.0, -0.0, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0, 1e30, -1e-30, 3
#else
    0, 1, (T)-1, (T)1 << (8 * sizeof(T) - 2), 5, 7, 9, 11
#endif
};

static void fill(T *to, int n, int seed)
{
    for (int i = 0; i < n; i++) {
        int k = (i * 37 + seed * 11) % 101;
        to[i] = k < 8 && seed % 2 ? specials[k] : (T)(k - 50) / (T)3;
    }
}

static void report(const char *name, int length, int how)
{
    unsigned long sum = 0;
    for (int i = 0; i < 2 * PAGE / (int)sizeof(T); i++)
        if (((T *)out)[i] != ((T *)out)[i]) /* the sign of what is no number is free */
            ((T *)out)[i] = 77;
    for (int i = 0; i < 2 * PAGE; i++)
        sum = sum * 31 + (unsigned char)out[i];
    printf("%s %d %d %lx\n", name, length, how, sum);
}

static void test(const char *name, Kernel *kernel, int group)
{
    for (int n = 0; n <= LONGEST; n++)
        for (int how = 0; how < 5; how++) {
            int size = n * group;
            T *x = how == 1 ? (T *)(in + 2 * PAGE) - size : (T *)in;
            T *y = how == 1 ? (T *)(out + 2 * PAGE) - size : (T *)out;
            T w[4 * LONGEST + 4];
            memset(out, 0, 2 * PAGE);
            fill(y, size, n + 1);
            fill(x, size, n);
            fill(w, size + 4, n + how);
            if (how > 1) /* in place, and shifted a little */
                x = y + (how - 2) * 3;
            kernel(n, x, w, y);
            report(name, n, how);
        }
}

static char *fenced(void)
{
    char *all = mmap(NULL, 4 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(all + PAGE, 2 * PAGE, PROT_READ | PROT_WRITE);
    return all + PAGE;
}

#define TEST(kernel, group) test(#kernel, kernel, group)

int main(void)
{
    in = fenced();
    out = fenced();
    TEST(products, 2);
    TEST(conjugated, 2);
    TEST(scaled_and_added, 2);
    TEST(other_signs, 2);
    TEST(windowed, 2);
    TEST(butterflies, 2);
    TEST(two_arrays, 2);
    TEST(threes, 3);
    TEST(turned_threes, 3);
    TEST(with_opacity, 4);
    TEST(sums_and_differences, 4);
    return 0;
}

#endif
