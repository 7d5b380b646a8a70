// Copies of the bytes of numbers: what is asked of them, in place, of other types, beside what is
// accessed as of another type.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 1100 };

void rounded(const float *in, uint16_t *out, int n)
{
    for (int i = 0; i < n; i++) {
        uint32_t u;
        memcpy(&u, &in[i], 4);
        u += 0x7fff + ((u >> 16) & 1);
        out[i] = u >> 16;
    }
}

void widened(const uint16_t *in, float *out, int n)
{
    for (int i = 0; i < n; i++) {
        uint32_t u = (uint32_t)in[i] << 16;
        memcpy(&out[i], &u, sizeof u);
    }
}

void keys(double *x, int n)
{
    for (int i = 0; i < n; i++) {
        double d = x[i];
        int64_t bits;
        memcpy(&bits, &d, sizeof d);
        bits ^= (bits >> 63) & INT64_MAX;
        if (bits < 0)
            bits = -bits;
        memmove(&d, &bits, sizeof d);
        memcpy(&x[i], &d, sizeof d);
    }
}

float root(float x)
{
    float y = x;
    int32_t i;
    for (int k = 0; k < 3; k++) {
        y = x + k * y;
        memcpy(&i, &y, 4);
        i = 0x5f3759df - (i >> 1);
        memcpy(&y, &i, 4);
        y = y * (1.5f - 0.5f * x * y * y);
    }
    return y;
}

// The floats are of memory that is also accessed as of integers: a call may copy it.
int mixed(float *f, int *g, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++) {
        int u;
        g[0] += i;
        memcpy(&u, &f[i], 4);
        total += u;
        u += 3;
        memcpy(&f[i], &u, 4);
        total ^= g[0];
    }
    return total;
}

int parts(const double *x, int n)
{
    int low = 0;
    for (int i = 0; i < n; i++) {
        float half;
        int first;
        memcpy(&half, &x[i], 4);
        memcpy(&first, &half, 3 + (n > 0));
        low += first;
    }
    return low;
}

static float f[MOST], g[MOST];
static uint16_t h[2 * MOST];
static double d[MOST];
static int k[MOST];

static unsigned sum(const void *p, size_t n)
{
    unsigned s = 1;
    for (size_t i = 0; i < n; i++)
        s = 31 * s + ((const unsigned char *)p)[i];
    return s;
}

int main(void)
{
    for (int n = 0; n <= MOST - 8; n += n < 70 ? 1 : 119) {
        for (int i = 0; i < MOST; i++) {
            f[i] = (i * 37 % 101 - 50) * 1.17f;
            d[i] = (i * 53 % 97 - 48) / 7.0;
            k[i] = i * 7 % 13;
            h[i] = h[MOST + i] = i * 577;
        }
        rounded(f, h + 1, n);
        printf("%d %x", n, sum(h, sizeof h));
        widened(h, g + 3, n);
        printf(" %x", sum(g, sizeof g));
        keys(d, n);
        printf(" %x", sum(d, sizeof d));
        printf(" %d", mixed((float *)k, k + 2, n));
        printf(" %x", sum(k, sizeof k));
        printf(" %d %g\n", parts(d, n), root(n + 1.0f));
    }
}
