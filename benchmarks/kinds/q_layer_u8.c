/* q_layer_u8: a quantised layer for a batch: bytes less their zero point, by bytes with a sign, in
   32 bits; scaled, bounded, bytes again. */

#include "../kernels/bench.h"

#define BATCH BY_SIZE(5, 30, 200, 500, 1500)
#define OUTPUTS BY_SIZE(9, 40, 300, 1000, 2000)
#define INPUTS BY_SIZE(14, 70, 513, 1200, 2000)

typedef unsigned char u8;
typedef signed char i8;

static void init(int batch, int outputs, int inputs, u8 *x, i8 *w, int *bias)
{
    for (int i = 0; i < batch * inputs; i++)
        x[i] = (u8)(i * 29 % 256);
    for (int i = 0; i < outputs * inputs; i++)
        w[i] = (i8)(i * 11 % 255 - 127);
    for (int j = 0; j < outputs; j++)
        bias[j] = 100 * (j % 17) - 800;
}

static u8 quantised(int sum, int multiplier, int shift)
{
    long scaled = ((long)sum * multiplier + (1L << (shift - 1))) >> shift;
    return (u8)(scaled < 0 ? 0 : scaled > 255 ? 255 : scaled);
}

void kernel_q_layer_u8(int batch, int outputs, int inputs, const u8 *restrict x,
                       const i8 *restrict w, const int *restrict bias, int *restrict sums,
                       u8 *restrict y)
{
    for (int i = 0; i < batch; i++)
        for (int j = 0; j < outputs; j++) {
            int sum = bias[j];
            for (int k = 0; k < inputs; k++)
                sum += (x[i * inputs + k] - 128) * w[j * inputs + k];
            sums[i * outputs + j] = sum;
        }
    for (int i = 0; i < batch; i++)
        for (int j = 0; j < outputs; j++)
            y[i * outputs + j] = quantised(sums[i * outputs + j], 1234567, 31);
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int batch = bench_size(BATCH), outputs = bench_size(OUTPUTS), inputs = bench_size(INPUTS);
    u8 *x = bench_alloc(batch * inputs, 1);
    i8 *w = bench_alloc(outputs * inputs, 1);
    int *bias = bench_alloc(outputs, sizeof *bias);
    int *sums = bench_alloc(batch * outputs, sizeof *sums);
    u8 *y = bench_alloc(batch * outputs, 1);
    init(batch, outputs, inputs, x, w, bias);

    bench_start();
    kernel_q_layer_u8(batch, outputs, inputs, x, w, bias, sums, y);
    bench_stop();

    bench_bytes("y", y, batch * outputs);
    free(x);
    free(w);
    free(bias);
    free(sums);
    free(y);
    return 0;
}
