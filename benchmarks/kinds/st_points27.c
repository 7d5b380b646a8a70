/* st_points27: twenty-seven points of a volume, four weights by how far they are. */

#include "../kernels/bench.h"

#define N BY_SIZE(8, 20, 90, 200, 400)

static void init(int n, double in[N][N][N])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                in[i][j][k] = (double)((i * 3 + j * 5 + k * 7) % 43) / 43;
}

void kernel_st_points27(int n, double w0, double w1, double w2, double w3, double in[N][N][N],
                        double out[N][N][N])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                out[i][j][k]
                    = w0 * in[i][j][k]
                      + w1
                            * (in[i - 1][j][k] + in[i + 1][j][k] + in[i][j - 1][k]
                               + in[i][j + 1][k] + in[i][j][k - 1] + in[i][j][k + 1])
                      + w2
                            * (in[i - 1][j - 1][k] + in[i - 1][j + 1][k] + in[i + 1][j - 1][k]
                               + in[i + 1][j + 1][k] + in[i - 1][j][k - 1] + in[i - 1][j][k + 1]
                               + in[i + 1][j][k - 1] + in[i + 1][j][k + 1] + in[i][j - 1][k - 1]
                               + in[i][j - 1][k + 1] + in[i][j + 1][k - 1] + in[i][j + 1][k + 1])
                      + w3
                            * (in[i - 1][j - 1][k - 1] + in[i - 1][j - 1][k + 1]
                               + in[i - 1][j + 1][k - 1] + in[i - 1][j + 1][k + 1]
                               + in[i + 1][j - 1][k - 1] + in[i + 1][j - 1][k + 1]
                               + in[i + 1][j + 1][k - 1] + in[i + 1][j + 1][k + 1]);
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    double (*in)[N][N] = bench_alloc(N, sizeof *in);
    double (*out)[N][N] = bench_alloc(N, sizeof *out);
    init(n, in);

    bench_start();
    kernel_st_points27(n, 0.5, 0.05, 0.01, 0.005, in, out);
    bench_stop();

    bench_doubles("out", out, (long)N * N * N);
    free(in);
    free(out);
    return 0;
}
