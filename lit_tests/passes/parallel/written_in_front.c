// What stands in front of a parallel loop, in a serial one, is done once, however the loop is run: the
// counters of k-means. Where it is compared, the choice between the orders is there, too.
// RUN: env OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive polyopt-cc -O3 -fparallel --run %s | filecheck %s
// RUN: env OMP_NUM_THREADS=3 polyopt-cc -O3 -fparallel --check --run %s | filecheck %s
// RUN: polyopt-cc -O3 -fparallel --check --emit=poly -o - %s | filecheck %s --check-prefix BOTH
// CHECK: 5: 1 2 3 4
// BOTH:      poly.pays "count"
// BOTH:      @__polyopt_check_begin
// BOTH:      poly.scop "count"
// BOTH:      @__polyopt_check_compare

#include <stdio.h>

void count(int **rows, int *done, int n, int width)
{
    for (int i = 0; i < n; i++) {
        done[0]++;
        for (int j = 0; j < width; j++)
            rows[i][j] += j + 1;
    }
}

int main(int argc, char **argv)
{
    int row[4] = {0}, *rows[1] = {row}, done = 4;
    count(rows, &done, argc, argc * 4);
    printf("%d: %d %d %d %d\n", done, row[0], row[1], row[2], row[3]);
    return 0;
}
