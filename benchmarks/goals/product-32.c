/* product-32: C += A^T B^T of 32 x 32 floats (T. Grosser's thesis on Polly, chapter 8): too small
   for blocks and packing, large enough for registers and vectors. */

#include "../kernels/bench.h"

#define N BY_SIZE(32, 32, 32, 32, 32)

static float A[N][N], B[N][N], C[N][N];

void kernel_product_32(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                C[i][j] += A[k][i] * B[j][k];
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            A[i][j] = (float)((i * 3 + j) % 17) / 17.0f;
            B[i][j] = (float)((i + j * 5) % 19) / 19.0f;
        }

    bench_start();
    kernel_product_32();
    bench_stop();

    bench_floats("C", &C[0][0], (long)N * N);
    return 0;
}
