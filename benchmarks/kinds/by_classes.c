/* by_classes: how many characters of a text are digits, letters and blanks. */

#include "../kernels/bench.h"

#define N BY_SIZE(100, 4000, 1000000, 10000000, 100000000)

static void init(int n, char *text)
{
    unsigned seed = 7;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        text[i] = (char)(seed >> 24 & 127);
    }
}

void kernel_by_classes(int n, const char *text, int *counts)
{
    int digits = 0, letters = 0, blanks = 0;

    for (int i = 0; i < n; i++) {
        char c = text[i];
        if (c >= '0' && c <= '9')
            digits++;
        else if ((c | 32) >= 'a' && (c | 32) <= 'z')
            letters++;
        else if (c == ' ' || c == '\t' || c == '\n')
            blanks++;
    }
    counts[0] = digits;
    counts[1] = letters;
    counts[2] = blanks;
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    char *text = bench_alloc(n, 1);
    int *counts = bench_alloc(3, sizeof(int));
    init(n, text);

    bench_start();
    kernel_by_classes(n, text, counts);
    bench_stop();

    bench_bytes("counts", counts, 3L * sizeof(int));
    free(text);
    free(counts);
    return 0;
}
