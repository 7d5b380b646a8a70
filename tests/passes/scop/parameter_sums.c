/* Numbers without a sign that are computed before loops, of sizes for which they are what they are
   written as, and of sizes for which they wrap around and name other elements. */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define ROOM 256
static float room[2 * ROOM];

static void by_size(float *a, size_t m, size_t n)
{
    size_t m2 = 2 * m;
    for (size_t k = 0; k < n && k < m; k++)
        a[k] += 0.5f * a[k + m2];
}

static void short_one(float *a, uint32_t m, uint32_t n)
{
    uint32_t m2 = 2 * m - 2;
    for (uint32_t k = 0; k < n; k++)
        a[k + m] += 0.5f * a[k + m2];
}

static void narrow(float *a, uint8_t m, uint8_t n)
{
    uint8_t m2 = 2 * m;
    for (int k = 0; k < n; k++)
        a[k + m] = 0.5f * a[k + m2] + 1;
}

static void difference(float *a, uint32_t m, uint32_t n)
{
    uint32_t d = m - 20;
    for (uint32_t k = 0; k < n; k++)
        a[(uint32_t)(k + d)] += 0.5f * a[k + m];
}

static void tell(const char *name, size_t m, size_t n)
{
    double sum = 0;
    for (int k = 0; k < 2 * ROOM; k++) {
        sum += room[k] * (k + 1);
        room[k] = (float)((k * 37) % 101) / 16;
    }
    printf("%s %zu %zu %.6f\n", name, m, n, sum);
}

int main(void)
{
    static const size_t lengths[] = {0, 1, 2, 7, 8, 15, 16, 17, 40};
    tell("begun", 0, 0);
    for (size_t m = 0; m < 60; m++)
        for (size_t n = 0; n < 9; n++) {
            size_t length = lengths[n];
            by_size(room, m, length), tell("by_size", m, length);
            by_size(room + 128, m + ((size_t)1 << 63), length), tell("by_size wrapped", m, length);
            if (m)
                short_one(room, m, length), tell("short_one", m, length);
            narrow(room, m, length), tell("narrow", m, length);
            narrow(room, m + 128, length), tell("narrow wrapped", m, length);
            if (m >= 20)
                difference(room, m, length), tell("difference", m, length);
        }
    return 0;
}
