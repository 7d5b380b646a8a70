/* by_runs: bytes as pairs of a length and a value, one for each run of equal ones. */

#include "../kernels/bench.h"

#define N BY_SIZE(100, 4000, 400000, 4000000, 40000000)

static void init(int n, unsigned char *bytes)
{
    unsigned seed = 7, value = 0;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        if (seed >> 30 == 0)
            value = seed >> 20 & 3;
        bytes[i] = (unsigned char)value;
    }
}

void kernel_by_runs(int n, const unsigned char *bytes, unsigned char *runs, int *length)
{
    int count = 0;

    for (int i = 0; i < n;) {
        int j = i + 1;
        while (j < n && bytes[j] == bytes[i] && j - i < 255)
            j++;
        runs[count++] = (unsigned char)(j - i);
        runs[count++] = bytes[i];
        i = j;
    }
    *length = count;
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    unsigned char *bytes = bench_alloc(n, 1);
    unsigned char *runs = bench_alloc(2 * (size_t)n, 1);
    init(n, bytes);
    int count = 0;

    bench_start();
    kernel_by_runs(n, bytes, runs, &count);
    bench_stop();

    bench_bytes("runs", runs, count);
    free(bytes);
    free(runs);
    return 0;
}
