/* deriche: Deriche's recursive edge detector: a causal and an anticausal filter along the rows
   of an image, their sum, then the same along the columns. Single precision. */

#include "bench.h"

#include <math.h>

#define W BY_SIZE(64, 192, 720, 4096, 7680)
#define H BY_SIZE(64, 128, 480, 2160, 4320)

static void init(int w, int h, float image[W][H])
{
    for (int i = 0; i < w; i++)
        for (int j = 0; j < h; j++)
            image[i][j] = (float)((313 * i + 991 * j) % 65536) / 65535.0f;
}

void kernel_deriche(int w, int h, float alpha,
                    float image[W][H], float edges[W][H], float y1[W][H], float y2[W][H])
{
    float xm1, tm1, ym1, ym2;
    float xp1, xp2, tp1, tp2, yp1, yp2;

    float k = (1.0f - expf(-alpha)) * (1.0f - expf(-alpha))
              / (1.0f + 2.0f * alpha * expf(-alpha) - expf(2.0f * alpha));
    float a1 = k, a5 = k;
    float a2 = k * expf(-alpha) * (alpha - 1.0f), a6 = a2;
    float a3 = k * expf(-alpha) * (alpha + 1.0f), a7 = a3;
    float a4 = -k * expf(-2.0f * alpha), a8 = a4;
    float b1 = powf(2.0f, -alpha);
    float b2 = -expf(-2.0f * alpha);
    float c1 = 1, c2 = 1;

    for (int i = 0; i < w; i++) {
        ym1 = 0.0f;
        ym2 = 0.0f;
        xm1 = 0.0f;
        for (int j = 0; j < h; j++) {
            y1[i][j] = a1 * image[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
            xm1 = image[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }

    for (int i = 0; i < w; i++) {
        yp1 = 0.0f;
        yp2 = 0.0f;
        xp1 = 0.0f;
        xp2 = 0.0f;
        for (int j = h - 1; j >= 0; j--) {
            y2[i][j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
            xp2 = xp1;
            xp1 = image[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }

    for (int i = 0; i < w; i++)
        for (int j = 0; j < h; j++)
            edges[i][j] = c1 * (y1[i][j] + y2[i][j]);

    for (int j = 0; j < h; j++) {
        tm1 = 0.0f;
        ym1 = 0.0f;
        ym2 = 0.0f;
        for (int i = 0; i < w; i++) {
            y1[i][j] = a5 * edges[i][j] + a6 * tm1 + b1 * ym1 + b2 * ym2;
            tm1 = edges[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }

    for (int j = 0; j < h; j++) {
        tp1 = 0.0f;
        tp2 = 0.0f;
        yp1 = 0.0f;
        yp2 = 0.0f;
        for (int i = w - 1; i >= 0; i--) {
            y2[i][j] = a7 * tp1 + a8 * tp2 + b1 * yp1 + b2 * yp2;
            tp2 = tp1;
            tp1 = edges[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }

    for (int i = 0; i < w; i++)
        for (int j = 0; j < h; j++)
            edges[i][j] = c2 * (y1[i][j] + y2[i][j]);
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int w = bench_size(W), h = bench_size(H);
    float (*image)[H] = bench_alloc(W, sizeof *image);
    float (*edges)[H] = bench_alloc(W, sizeof *edges);
    float (*y1)[H] = bench_alloc(W, sizeof *y1);
    float (*y2)[H] = bench_alloc(W, sizeof *y2);
    init(w, h, image);

    bench_start();
    kernel_deriche(w, h, 0.25f, image, edges, y1, y2);
    bench_stop();

    bench_floats("edges", edges, (long)w * h);
    free(image);
    free(edges);
    free(y1);
    free(y2);
    return 0;
}
