/* np_attention: one head of attention: scores, softmax by rows, weighted values. */

#include "../kernels/bench.h"

#include <math.h>

#define LENGTH BY_SIZE(10, 40, 160, 500, 1500)
#define DEPTH BY_SIZE(4, 16, 48, 64, 64)

static void init(int length, int depth, float q[LENGTH][DEPTH], float k[LENGTH][DEPTH],
                 float v[LENGTH][DEPTH])
{
    for (int i = 0; i < length; i++)
        for (int d = 0; d < depth; d++) {
            q[i][d] = (float)((i + 3 * d) % 11) / 11;
            k[i][d] = (float)((2 * i + d) % 13) / 13;
            v[i][d] = (float)((i * d) % 7) / 7;
        }
}

void kernel_np_attention(int length, int depth, float q[LENGTH][DEPTH], float k[LENGTH][DEPTH],
                         float v[LENGTH][DEPTH], float score[LENGTH][LENGTH],
                         float out[LENGTH][DEPTH])
{
    float scale = 1.0f / sqrtf((float)depth);
    for (int i = 0; i < length; i++) {
        float top = -1e30f;
        for (int j = 0; j < length; j++) {
            float dot = 0.0f;
            for (int d = 0; d < depth; d++)
                dot += q[i][d] * k[j][d];
            score[i][j] = dot * scale;
            if (score[i][j] > top)
                top = score[i][j];
        }
        float sum = 0.0f;
        for (int j = 0; j < length; j++) {
            score[i][j] = expf(score[i][j] - top);
            sum += score[i][j];
        }
        for (int d = 0; d < depth; d++) {
            float weighted = 0.0f;
            for (int j = 0; j < length; j++)
                weighted += score[i][j] * v[j][d];
            out[i][d] = weighted / sum;
        }
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int length = bench_size(LENGTH), depth = bench_size(DEPTH);
    float (*q)[DEPTH] = bench_alloc(LENGTH, sizeof *q);
    float (*k)[DEPTH] = bench_alloc(LENGTH, sizeof *k);
    float (*v)[DEPTH] = bench_alloc(LENGTH, sizeof *v);
    float (*score)[LENGTH] = bench_alloc(LENGTH, sizeof *score);
    float (*out)[DEPTH] = bench_alloc(LENGTH, sizeof *out);
    init(length, depth, q, k, v);

    bench_start();
    kernel_np_attention(length, depth, q, k, v, score, out);
    bench_stop();

    bench_floats("out", out, (long)length * DEPTH);
    free(q);
    free(k);
    free(v);
    free(score);
    free(out);
    return 0;
}
