/* Memory that is used again as of another type: no two types are in one place at a time. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 37 };

double out[N];

/* `first` sees what is stored to `raw` as of its type. */
__attribute__((noinline))
static long reused(int n, void *raw, long *first)
{
    long *numbers = raw, sum = first[0];
    double *values = raw;
    for (int i = 0; i < n; i++) {
        numbers[i] = i + 7;
        sum += first[0];
    }
    for (int i = 0; i < n; i++)
        values[i] = 1.5 * i;
    for (int i = 0; i < n; i++)
        out[i] = values[i] + 1;
    return sum;
}

int main(void)
{
    long *memory = malloc(N * sizeof *memory);
    memory[0] = 1000;
    printf("%ld\n", reused(N, memory, memory));
    for (int i = 0; i < N; i++)
        printf("%g\n", out[i]);
    free(memory);
    return 0;
}
