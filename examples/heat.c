/* Heat that spreads in a plate, computed by several processes.

       polyopt-cc -O3 --distribute='*' --remarks examples/heat.c -o heat
       mpiexec -n 4 ./heat

   Nothing here speaks of processes: each of them runs all of the program, and shares the loops over
   time with the others. */

#include <stdio.h>
#include <stdlib.h>

void spread(int n, int steps, double warm[n][n], double next[n][n])
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                next[i][j] = 0.2 * (warm[i][j] + warm[i - 1][j] + warm[i + 1][j]
                                    + warm[i][j - 1] + warm[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                warm[i][j] = next[i][j];
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 200, steps = argc > 2 ? atoi(argv[2]) : 100;
    double (*warm)[n] = calloc(n, sizeof *warm), (*next)[n] = calloc(n, sizeof *next);
    for (int j = 0; j < n; j++)
        warm[0][j] = 100.0;
    spread(n, steps, warm, next);
    printf("%.6f in the middle of the third row\n", warm[2][n / 2]);
    free(warm);
    free(next);
    return 0;
}
