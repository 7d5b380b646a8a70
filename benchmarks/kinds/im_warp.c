/* im_warp: an image of floats, turned and scaled, each pixel between the four that it falls among. */

#include "../kernels/bench.h"

#define W BY_SIZE(17, 60, 640, 1280, 3840)
#define H BY_SIZE(11, 45, 480, 720, 2160)

static void init(int h, int w, float in[h][w])
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            in[y][x] = (float)((x * 13 + y * 29 + x * y % 37) % 256);
}

void kernel_im_warp(int h, int w, float in[h][w], float out[h][w], const float m[6])
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float sx = m[0] * x + m[1] * y + m[2];
            float sy = m[3] * x + m[4] * y + m[5];
            int x0 = (int)sx, y0 = (int)sy;
            if (sx < 0.0f || sy < 0.0f || x0 >= w - 1 || y0 >= h - 1) {
                out[y][x] = 0.0f;
                continue;
            }
            float fx = sx - x0, fy = sy - y0;
            float top = in[y0][x0] + fx * (in[y0][x0 + 1] - in[y0][x0]);
            float bottom = in[y0 + 1][x0] + fx * (in[y0 + 1][x0 + 1] - in[y0 + 1][x0]);
            out[y][x] = top + fy * (bottom - top);
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int h = bench_size(H), w = bench_size(W);
    float (*in)[w] = bench_alloc((size_t)h * w, sizeof(float));
    float (*out)[w] = bench_alloc((size_t)h * w, sizeof(float));
    float m[6] = { 0.9375f, -0.25f, 0.125f * w, 0.25f, 0.9375f, -0.0625f * h };
    init(h, w, in);

    bench_start();
    kernel_im_warp(h, w, in, out, m);
    bench_stop();

    bench_floats("out", out, (long)h * w);
    free(in);
    free(out);
    return 0;
}
