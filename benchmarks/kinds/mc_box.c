/* mc_box: forces of points on each other in a periodic box, each pair once, where it is near. */

#include "../kernels/bench.h"

#define N BY_SIZE(20, 60, 500, 2000, 8000)

typedef struct {
    double x, y, z;
} vector;

static void init(int n, vector *r)
{
    unsigned seed = 11;
    double *numbers = &r[0].x;
    for (int i = 0; i < 3 * n; i++) {
        seed = seed * 1664525u + 1013904223u;
        int cell = i % 3 == 0 ? i / 3 % 8 : i % 3 == 1 ? i / 24 % 8 : i / 192 % 8;
        numbers[i] = cell * 1.2 + 0.3 * (seed >> 8) / 16777216;
    }
}

void kernel_mc_box(int n, double box, double limit, const vector *r, vector *f, double *energy)
{
    double e = 0;

    for (int i = 0; i < n; i++)
        f[i].x = f[i].y = f[i].z = 0;
    for (int i = 0; i < n - 1; i++)
        for (int j = i + 1; j < n; j++) {
            double dx = r[i].x - r[j].x, dy = r[i].y - r[j].y, dz = r[i].z - r[j].z;
            if (dx > box / 2)
                dx -= box;
            else if (dx < -box / 2)
                dx += box;
            if (dy > box / 2)
                dy -= box;
            else if (dy < -box / 2)
                dy += box;
            if (dz > box / 2)
                dz -= box;
            else if (dz < -box / 2)
                dz += box;
            double square = dx * dx + dy * dy + dz * dz;
            if (square < limit) {
                double s2 = 1 / square, s6 = s2 * s2 * s2, force = 48 * s6 * (s6 - 0.5) * s2;
                f[i].x += dx * force;
                f[i].y += dy * force;
                f[i].z += dz * force;
                f[j].x -= dx * force;
                f[j].y -= dy * force;
                f[j].z -= dz * force;
                e += 4 * s6 * (s6 - 1);
            }
        }
    *energy = e;
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    vector *r = bench_alloc(n, sizeof *r), *f = bench_alloc(n, sizeof *f);
    double energy;
    init(n, r);

    bench_start();
    kernel_mc_box(n, 9.6, 6.25, r, f, &energy);
    bench_stop();

    bench_doubles("f", f, 3L * n);
    bench_doubles("energy", &energy, 1);
    free(r);
    free(f);
    return 0;
}
