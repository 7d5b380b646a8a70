/* mc_wavelet: rows by the reversible 5/3 wavelet of JPEG 2000, lifted in place, then taken apart
   into low and high halves. */

#include "../kernels/bench.h"

#define ROWS BY_SIZE(3, 20, 480, 1080, 2160)
#define N BY_SIZE(16, 62, 1000, 1920, 3840)

static void init(int rows, int n, int x[rows][n])
{
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < n; i++)
            x[r][i] = (r * 31 + i * 7 + r * i % 19) % 256;
}

void kernel_mc_wavelet(int rows, int n, int x[rows][n], int out[rows][n])
{
    int half = n / 2;

    for (int r = 0; r < rows; r++) {
        int *row = x[r];
        for (int i = 1; i < n - 1; i += 2)
            row[i] -= (row[i - 1] + row[i + 1]) >> 1;
        row[n - 1] -= row[n - 2];
        row[0] += (row[1] + 1) >> 1;
        for (int i = 2; i < n; i += 2)
            row[i] += (row[i - 1] + row[i + 1] + 2) >> 2;
        for (int i = 0; i < half; i++) {
            out[r][i] = row[2 * i];
            out[r][half + i] = row[2 * i + 1];
        }
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int rows = bench_size(ROWS), n = bench_size(N / 2 * 2);
    int (*x)[n] = bench_alloc((size_t)rows * n, sizeof(int));
    int (*out)[n] = bench_alloc((size_t)rows * n, sizeof(int));
    init(rows, n, x);

    bench_start();
    kernel_mc_wavelet(rows, n, x, out);
    bench_stop();

    bench_ints("out", out, (long)rows * n);
    free(x);
    free(out);
    return 0;
}
