/* Subscripts computed at run time by arithmetic that wraps: in bytes, shorts, and unsigned
   numbers of every width. */

#include <stdio.h>

#define N 61

static double a[N], b[N];
static int w[N];

static void in_bytes(int n)
{
    unsigned char u = 0;
    for (int i = 0; i < n; i++) {
        u += w[i] * 7;
        a[u % N] += i;
    }
}

static void in_signed_bytes(int n)
{
    signed char s = 0;
    for (int i = 0; i < n; i++) {
        s += w[i] * 7;
        a[(s + 128) % N] += i;
    }
}

static void in_shorts(int n)
{
    short h = 0;
    for (int i = 0; i < n; i++) {
        h += w[i] * 300;
        a[(h & 1023) % N] += h;
    }
}

static void hash32(int n)
{
    unsigned h = 17;
    for (int i = 0; i < n; i++) {
        h = h * 2654435761u + w[i];
        a[h % N] += 1.0;
        b[(h >> 7) % N] += i;
    }
}

static void hash64(int n)
{
    unsigned long h = 17;
    for (int i = 0; i < n; i++) {
        h = h * 6364136223846793005ul + w[i];
        a[h % N] += 1.0;
        b[(h >> 33) % N] += i;
    }
}

static void of_iterators(int n)
{
    for (int i = 0; i < n; i++)
        for (unsigned j = 0; j < 9; j++) {
            a[(unsigned char)(w[i] * 40 + j * 30) % N] += j;
            b[(w[i] * 2654435761u + j * 40503u) % N] += 1.0;
        }
}

static void counted_down(int n)
{
    for (int i = 0; i < n; i++)
        for (unsigned char u = 250; u != 5; u++)
            a[(u + w[i]) % N] += 1.0;
}

static void in_an_arm(int n)
{
    for (unsigned char u = 2; u < n - 1; u += 2)
        for (int i = 0; i < n; i++) {
            switch (w[i] & 3) {
            default:
                a[i] = b[(u * 3 + i) % N];
                break;
            case 1:
                a[i] = 2;
                break;
            case 2:
                a[u] = 0.5 * (9 + a[u + 1]);
                break;
            }
        }
}

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = b[i] = i * 0.5;
        w[i] = (i * 13 + 5) % N;
    }
}

static void show(const char *name)
{
    double t = 0;
    for (int i = 0; i < N; i++)
        t = t * 0.99 + a[i] * 3 - b[i];
    printf("%s %.17g\n", name, t);
}

#define RUN(f)                                                                                     \
    for (int n = 0; n < 3; n++) {                                                                  \
        fill();                                                                                    \
        f(sizes[n]);                                                                               \
        show(#f);                                                                                  \
    }

int main(void)
{
    static const int sizes[3] = {1, 38, N};
    RUN(in_bytes)
    RUN(in_signed_bytes)
    RUN(in_shorts)
    RUN(hash32)
    RUN(hash64)
    RUN(of_iterators)
    RUN(counted_down)
    RUN(in_an_arm)
    return 0;
}
