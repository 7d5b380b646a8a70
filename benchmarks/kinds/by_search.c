/* by_search: where a word begins in a text, compared byte by byte at each place. */

#include "../kernels/bench.h"

#define N BY_SIZE(100, 5000, 1000000, 10000000, 100000000)

static void init(int n, unsigned char *text)
{
    unsigned seed = 11;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        text[i] = "etaoin shrdlu"[(seed >> 16) % 13];
    }
}

void kernel_by_search(int n, const unsigned char *text, int m, const unsigned char *word,
                      int *places, int *found)
{
    int count = 0;

    for (int i = 0; i + m <= n; i++) {
        int k = 0;
        while (k < m && text[i + k] == word[k])
            k++;
        if (k == m)
            places[count++] = i;
    }
    *found = count;
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N), m = bench_size(3), count = 0;
    unsigned char *text = bench_alloc(n, 1);
    int *places = bench_alloc(n, sizeof *places);
    init(n, text);

    bench_start();
    kernel_by_search(n, text, m, (const unsigned char *)"tan", places, &count);
    bench_stop();

    bench_ints("count", &count, 1);
    bench_ints("places", places, count);
    free(text);
    free(places);
    return 0;
}
