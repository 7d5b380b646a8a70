/* dp_knapsack: the greatest value that fits into a knapsack, each thing at most once, in one row
   that is walked downwards. */

#include "../kernels/bench.h"

#define THINGS BY_SIZE(10, 30, 150, 400, 1000)
#define CAPACITY BY_SIZE(100, 1000, 20000, 100000, 400000)

static void init(int things, int *weight, int *value)
{
    for (int i = 0; i < things; i++) {
        weight[i] = 3 + i * 17 % 61;
        value[i] = 5 + i * 29 % 97;
    }
}

void kernel_dp_knapsack(int things, int capacity, const int *weight, const int *value, int *best)
{
    for (int w = 0; w <= capacity; w++)
        best[w] = 0;
    for (int i = 0; i < things; i++)
        for (int w = capacity; w >= weight[i]; w--)
            if (best[w - weight[i]] + value[i] > best[w])
                best[w] = best[w - weight[i]] + value[i];
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int things = bench_size(THINGS), capacity = bench_size(CAPACITY);
    int *weight = bench_alloc(things, sizeof *weight);
    int *value = bench_alloc(things, sizeof *value);
    int *best = bench_alloc(capacity + 1, sizeof *best);
    init(things, weight, value);

    bench_start();
    kernel_dp_knapsack(things, capacity, weight, value, best);
    bench_stop();

    bench_ints("best", best, capacity + 1L);
    free(weight);
    free(value);
    free(best);
    return 0;
}
