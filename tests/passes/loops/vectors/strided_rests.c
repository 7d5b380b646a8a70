/* Elements some places apart, forward and backward, for every length that leaves a rest: what
   is read ends at a page that may not be touched, or begins behind one. */

#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096

static char *between; /* two pages, neither side of which may be touched */

#define KERNELS(T)                                                                         \
    static void T##_alone(int n, const T *restrict x, T *restrict y)                       \
    {                                                                                      \
        for (int i = 0; i < n; i++)                                                        \
            y[i] = x[STRIDE * i];                                                          \
    }                                                                                      \
    static void T##_pair(int n, const T *restrict x, T *restrict y)                        \
    {                                                                                      \
        for (int i = 0; i < n; i++)                                                        \
            y[i] = x[STRIDE * i] + x[STRIDE * i + 1];                                      \
    }                                                                                      \
    static void T##_some(int n, const T *restrict x, T *restrict y)                        \
    {                                                                                      \
        for (int i = 0; i < n; i++)                                                        \
            if (y[i] > 9)                                                                  \
                y[i] = x[STRIDE * i] - x[STRIDE * i + 1] + x[STRIDE * i + STRIDE / 2];     \
    }                                                                                      \
    static void T##_beside(int n, const T *restrict x, T *restrict y)                      \
    {                                                                                      \
        for (int i = 0; i < n; i++) {                                                      \
            T z = x[STRIDE * i];                                                           \
            if (y[i] > 9)                                                                  \
                z += x[STRIDE * i + 1];                                                    \
            y[i] = z;                                                                      \
        }                                                                                  \
    }                                                                                      \
    static void T##_run(void)                                                              \
    {                                                                                      \
        static T y[64];                                                                    \
        unsigned long hash = 7;                                                            \
        T *whole = (T *)between;                                                           \
        for (int i = 0; i < 2 * PAGE / (int)sizeof(T); i++)                                \
            whole[i] = (T)(i * 37 % 101);                                                  \
        for (int n = 0; n <= 40; n++)                                                      \
            for (int kind = 0; kind < 4; kind++) {                                         \
                int last = kind % 3 == 0 ? 0 : kind == 1 ? 1 : STRIDE / 2;                     \
                int span = n == 0 ? 0 : (STRIDE < 0 ? -(STRIDE) : STRIDE) * (n - 1);       \
                int behind = kind == 2 && STRIDE < 0 ? -(STRIDE) / 2 : 0;                  \
                T *end = (T *)(between + 2 * PAGE);                                        \
                T *x = STRIDE > 0 ? end - span - 1 - last - behind : whole + span + behind; \
                for (int i = 0; i < 64; i++)                                               \
                    y[i] = (T)(kind == 3 && i >= n - 1 ? 0 : i * 7 % 19);                  \
                (kind == 0   ? T##_alone                                                   \
                 : kind == 1 ? T##_pair                                                    \
                 : kind == 2 ? T##_some                                                    \
                             : T##_beside)(n, x, y);                                       \
                for (int i = 0; i < 64; i++)                                               \
                    hash = (hash ^ (unsigned long)(long)y[i]) * 1099511628211UL;           \
            }                                                                              \
        printf("%s by %d: %lx\n", #T, STRIDE, hash);                                       \
    }

KERNELS(char)
KERNELS(short)
KERNELS(float)
KERNELS(double)

int main(void)
{
    char *memory = mmap(NULL, 4 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + PAGE, 2 * PAGE, PROT_READ | PROT_WRITE))
        return 1;
    between = memory + PAGE;
    char_run();
    short_run();
    float_run();
    double_run();
    return 0;
}
