/* by_words: lines, words and capitals of a text, counted in one pass. */

#include "../kernels/bench.h"

#define N BY_SIZE(100, 4000, 400000, 4000000, 40000000)

static void init(int n, char *text)
{
    static const char sample[] = "It was a bright cold day in April,\nand the clocks\twere striking.  ";
    for (int i = 0; i < n; i++)
        text[i] = sample[(i + i / 97) % (sizeof sample - 1)];
}

void kernel_by_words(int n, const char *text, int counts[3])
{
    int lines = 0, words = 0, capitals = 0, inside = 0;
    for (int i = 0; i < n; i++) {
        char c = text[i];
        if (c == '\n')
            lines++;
        if (c >= 'A' && c <= 'Z')
            capitals++;
        if (c == ' ' || c == '\n' || c == '\t')
            inside = 0;
        else if (!inside) {
            inside = 1;
            words++;
        }
    }
    counts[0] = lines;
    counts[1] = words;
    counts[2] = capitals;
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    char *text = bench_alloc(n, 1);
    int *counts = bench_alloc(3, sizeof *counts);
    init(n, text);

    bench_start();
    kernel_by_words(n, text, counts);
    bench_stop();

    bench_ints("counts", counts, 3);
    free(text);
    free(counts);
    return 0;
}
