/* mc_lorenz: many Lorenz systems stepped by Runge and Kutta's method of order four. */

#include "../kernels/bench.h"

#define N BY_SIZE(5, 50, 1000, 10000, 40000)
#define STEPS BY_SIZE(3, 10, 100, 200, 400)

struct state {
    double x, y, z;
};

static struct state slope(struct state s)
{
    struct state d = { 10.0 * (s.y - s.x), s.x * (28.0 - s.z) - s.y, s.x * s.y - 8.0 / 3.0 * s.z };
    return d;
}

static struct state along(struct state s, double h, struct state d)
{
    struct state r = { s.x + h * d.x, s.y + h * d.y, s.z + h * d.z };
    return r;
}

static void init(int n, struct state *s)
{
    for (int i = 0; i < n; i++) {
        s[i].x = 1.0 + 0.001 * i;
        s[i].y = 1.0;
        s[i].z = 20.0 - 0.002 * i;
    }
}

void kernel_mc_lorenz(int n, int steps, double h, struct state *s)
{
    for (int i = 0; i < n; i++)
        for (int t = 0; t < steps; t++) {
            struct state a = slope(s[i]);
            struct state b = slope(along(s[i], 0.5 * h, a));
            struct state c = slope(along(s[i], 0.5 * h, b));
            struct state d = slope(along(s[i], h, c));
            s[i].x += h / 6.0 * (a.x + 2.0 * b.x + 2.0 * c.x + d.x);
            s[i].y += h / 6.0 * (a.y + 2.0 * b.y + 2.0 * c.y + d.y);
            s[i].z += h / 6.0 * (a.z + 2.0 * b.z + 2.0 * c.z + d.z);
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N), steps = bench_size(STEPS);
    struct state *s = bench_alloc(n, sizeof *s);
    init(n, s);

    bench_start();
    kernel_mc_lorenz(n, steps, 0.0005, s);
    bench_stop();

    bench_doubles("states", s, 3L * n);
    free(s);
    return 0;
}
