/* la_determinant: determinants of many small matrices, each brought to a triangle with the greatest
   element of a column as pivot. */

#include "../kernels/bench.h"

#define N 6
#define COUNT BY_SIZE(3, 50, 10000, 100000, 500000)

static void init(int count, double a[count][N][N])
{
    for (int m = 0; m < count; m++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                a[m][i][j] = ((m * 7 + i * 13 + j * 29 + i * j * m) % 31) / 31.0 + (i == j);
}

void kernel_la_determinant(int count, double a[count][N][N], double *det)
{
    for (int m = 0; m < count; m++) {
        double d = 1.0;
        for (int k = 0; k < N; k++) {
            int pivot = k;
            for (int i = k + 1; i < N; i++) {
                double x = a[m][i][k] < 0 ? -a[m][i][k] : a[m][i][k];
                double y = a[m][pivot][k] < 0 ? -a[m][pivot][k] : a[m][pivot][k];
                if (x > y)
                    pivot = i;
            }
            if (pivot != k) {
                for (int j = k; j < N; j++) {
                    double t = a[m][k][j];
                    a[m][k][j] = a[m][pivot][j];
                    a[m][pivot][j] = t;
                }
                d = -d;
            }
            d *= a[m][k][k];
            for (int i = k + 1; i < N; i++) {
                double f = a[m][i][k] / a[m][k][k];
                for (int j = k + 1; j < N; j++)
                    a[m][i][j] -= f * a[m][k][j];
            }
        }
        det[m] = d;
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int count = bench_size(COUNT);
    double (*a)[N][N] = bench_alloc(count, sizeof *a);
    double *det = bench_alloc(count, sizeof *det);
    init(count, a);

    bench_start();
    kernel_la_determinant(count, a, det);
    bench_stop();

    bench_doubles("det", det, count);
    free(a);
    free(det);
    return 0;
}
