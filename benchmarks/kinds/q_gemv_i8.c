/* q_gemv_i8: a quantised layer: bytes by bytes summed in 32 bits, scaled, bounded, bytes again. */

#include "../kernels/bench.h"

#define ROWS BY_SIZE(10, 50, 500, 2000, 4000)
#define COLUMNS BY_SIZE(20, 100, 777, 2000, 4000)

typedef signed char byte;

static void init(int rows, int columns, byte *w, byte *x, int *bias)
{
    for (int i = 0; i < rows * columns; i++)
        w[i] = (byte)(i * 11 % 255 - 127);
    for (int j = 0; j < columns; j++)
        x[j] = (byte)(j * 7 % 255 - 127);
    for (int i = 0; i < rows; i++)
        bias[i] = 100 * (i % 17) - 800;
}

void kernel_q_gemv_i8(int rows, int columns, const byte *w, const byte *x, const int *bias,
                      int multiplier, int shift, byte *y)
{
    for (int i = 0; i < rows; i++) {
        int sum = bias[i];
        for (int j = 0; j < columns; j++)
            sum += w[i * columns + j] * x[j];
        int scaled = (int)(((long)sum * multiplier + (1L << (shift - 1))) >> shift);
        if (scaled > 127)
            scaled = 127;
        if (scaled < -128)
            scaled = -128;
        y[i] = (byte)scaled;
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int rows = bench_size(ROWS), columns = bench_size(COLUMNS);
    byte *w = bench_alloc(rows * columns, 1);
    byte *x = bench_alloc(columns, 1);
    byte *y = bench_alloc(rows, 1);
    int *bias = bench_alloc(rows, sizeof *bias);
    init(rows, columns, w, x, bias);

    bench_start();
    kernel_q_gemv_i8(rows, columns, w, x, bias, 1234567, 31, y);
    bench_stop();

    bench_bytes("y", y, rows);
    free(w);
    free(x);
    free(y);
    free(bias);
    return 0;
}
