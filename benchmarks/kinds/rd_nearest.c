/* rd_nearest: for each point the nearest of some centres, and how far it is. */

#include "../kernels/bench.h"

#define POINTS BY_SIZE(20, 200, 4000, 20000, 100000)
#define CENTRES BY_SIZE(5, 20, 60, 250, 250)

static void init(int n, int m, float *x, float *y, float *cx, float *cy)
{
    for (int i = 0; i < n; i++) {
        x[i] = (float)(i * 31 % 997) / 10;
        y[i] = (float)(i * 17 % 991) / 10;
    }
    for (int j = 0; j < m; j++) {
        cx[j] = (float)(j * 23 % 101);
        cy[j] = (float)(j * 41 % 103);
    }
}

void kernel_rd_nearest(int n, int m, const float *x, const float *y, const float *cx,
                       const float *cy, int *nearest, float *distance)
{
    for (int i = 0; i < n; i++) {
        float least = 1e30f;
        int place = -1;
        for (int j = 0; j < m; j++) {
            float dx = x[i] - cx[j];
            float dy = y[i] - cy[j];
            float d = dx * dx + dy * dy;
            if (d < least) {
                least = d;
                place = j;
            }
        }
        nearest[i] = place;
        distance[i] = least;
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(POINTS), m = bench_size(CENTRES);
    float *x = bench_alloc(n, sizeof *x);
    float *y = bench_alloc(n, sizeof *y);
    float *cx = bench_alloc(m, sizeof *cx);
    float *cy = bench_alloc(m, sizeof *cy);
    int *nearest = bench_alloc(n, sizeof *nearest);
    float *distance = bench_alloc(n, sizeof *distance);
    init(n, m, x, y, cx, cy);

    bench_start();
    kernel_rd_nearest(n, m, x, y, cx, cy, nearest, distance);
    bench_stop();

    bench_floats("distance", distance, n);
    free(x);
    free(y);
    free(cx);
    free(cy);
    free(nearest);
    free(distance);
    return 0;
}
