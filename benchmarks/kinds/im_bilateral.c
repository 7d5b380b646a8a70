/* im_bilateral: a filter of five by five that keeps edges: weights fall with the distance of places
   and of values. */

#include <math.h>

#include "../kernels/bench.h"

#define H BY_SIZE(12, 24, 120, 480, 1080)
#define W BY_SIZE(14, 30, 160, 640, 1920)
#define R 2

static void init(int h, int w, float in[h][w], float near[2 * R + 1][2 * R + 1])
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            in[y][x] = (float)((y * 37 + x * 11) % 101) / 101;
    for (int y = -R; y <= R; y++)
        for (int x = -R; x <= R; x++)
            near[y + R][x + R] = 1.0f / (1 + y * y + x * x);
}

void kernel_im_bilateral(int h, int w, float steep, float in[h][w],
                         float near[2 * R + 1][2 * R + 1], float out[h][w])
{
    for (int y = R; y < h - R; y++)
        for (int x = R; x < w - R; x++) {
            float c = in[y][x], sum = 0, weights = 0;
            for (int dy = -R; dy <= R; dy++)
                for (int dx = -R; dx <= R; dx++) {
                    float v = in[y + dy][x + dx], d = v - c;
                    float weight = near[dy + R][dx + R] * expf(-d * d * steep);
                    sum += weight * v;
                    weights += weight;
                }
            out[y][x] = sum / weights;
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int h = bench_size(H), w = bench_size(W);
    float (*in)[w] = bench_alloc((size_t)h * w, sizeof(float));
    float (*out)[w] = bench_alloc((size_t)h * w, sizeof(float));
    float near[2 * R + 1][2 * R + 1];
    init(h, w, in, near);

    bench_start();
    kernel_im_bilateral(h, w, 12.5f, in, near, out);
    bench_stop();

    bench_floats("out", out, (long)h * w);
    free(in);
    free(out);
    return 0;
}
