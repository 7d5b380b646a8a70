/* Short rows that are written and read again, at each length and from each place on: what is
   written ends at a page that may not be touched, or begins behind one. */

#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096
#define LONGEST 70

static char *between; /* a page, neither side of which may be touched */

#define KERNELS(T)                                                                         \
    static void T##_rotated(int n, int times, T *restrict p, T *restrict q, T c, T s)      \
    {                                                                                      \
        for (int t = 0; t < times; t++)                                                    \
            for (int k = 0; k < n; k++) {                                                  \
                T x = p[k], y = q[k];                                                      \
                p[k] = c * x + s * y;                                                      \
                q[k] = c * y - s * x;                                                      \
            }                                                                              \
    }                                                                                      \
    static void T##_from_both_ends(int n, T *a, T k)                                       \
    {                                                                                      \
        for (int i = 1; i < n; i++)                                                        \
            for (int j = 0; j <= (i - 1) / 2; j++) {                                       \
                T x = a[j], y = a[i - j];                                                  \
                a[j] = x + k * y;                                                          \
                a[i - j] = y + k * x;                                                      \
            }                                                                              \
    }                                                                                      \
    static void T##_there_and_back(int n, int times, T *restrict u, T *restrict v)         \
    {                                                                                      \
        for (int t = 0; t < times; t++) {                                                  \
            for (int i = 1; i < n - 1; i++)                                                \
                v[i] = u[i - 1] + u[i + 1] - 2 * u[i];                                     \
            for (int i = 1; i < n - 1; i++)                                                \
                u[i] += v[i] > 3 ? 3 : v[i];                                               \
        }                                                                                  \
    }                                                                                      \
    static void T##_triangle(int n, T a[LONGEST][LONGEST])                                 \
    {                                                                                      \
        for (int k = 0; k < n; k++)                                                        \
            for (int i = k + 1; i < n; i++)                                                \
                for (int j = k; j < n; j++)                                                \
                    a[i][j] -= a[k][j] * 3;                                                \
    }                                                                                      \
    static void T##_run(void)                                                              \
    {                                                                                      \
        static T other[LONGEST], square[LONGEST][LONGEST];                                 \
        for (int n = 0; n <= LONGEST; n++)                                                 \
            for (int at_end = 0; at_end < 2; at_end++) {                                   \
                T *p = (T *)between + (at_end ? PAGE / (int)sizeof(T) - n : 0);            \
                for (int k = 0; k < n; k++) {                                              \
                    p[k] = (T)(k % 7 - 2);                                                 \
                    other[k] = (T)(k % 5 + 1);                                             \
                    for (int j = 0; j < n; j++)                                            \
                        square[k][j] = (T)((k * j) % 11);                                  \
                }                                                                          \
                T##_rotated(n, 3, p, other, 2, 1);                                         \
                T##_from_both_ends(n, p, 1);                                               \
                T##_there_and_back(n, 2, p, other);                                        \
                T##_triangle(n, square);                                                   \
                unsigned long long sum = 0, word;                                          \
                for (int k = 0; k < n; k++) {                                              \
                    double both = (double)p[k] + 3 * (double)other[k];                     \
                    for (int j = 0; j < n; j++)                                            \
                        both = 0.5 * both + (double)square[k][j];                          \
                    memcpy(&word, &both, sizeof word);                                     \
                    sum = sum * 31 + word;                                                 \
                }                                                                          \
                printf(#T " %d %d %llx\n", n, at_end, sum);                                \
            }                                                                              \
    }

typedef unsigned short u16;
typedef unsigned int u32;
KERNELS(double)
KERNELS(float)
KERNELS(u32)
KERNELS(u16)

int main(void)
{
    char *pages = mmap(0, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    between = pages + PAGE;
    mprotect(between, PAGE, PROT_READ | PROT_WRITE);
    double_run();
    float_run();
    u32_run();
    u16_run();
    return 0;
}
