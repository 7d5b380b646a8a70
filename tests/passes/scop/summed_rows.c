/* Rows that are as long as sums say: what a program leaves that means them, and one that leaves them. */
#include <stdio.h>
#include <string.h>

#define N 4096
static float in[N], out[N], k[N];
static unsigned char pixels[3 * N], grey[N];

static void convolve(int w, int h, int r)
{
    for (int y = r; y < h - r; y++)
        for (int x = r; x < w - r; x++) {
            float s = 0;
            for (int j = -r; j <= r; j++)
                for (int i = -r; i <= r; i++)
                    s += k[(j + r) * (2 * r + 1) + i + r] * in[(y + j) * w + x + i];
            out[y * w + x] = s;
        }
}

static void bordered(int w, int h, int border, float *a)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            a[(y + border) * (w + 2 * border) + x + border] = a[(y + border) * (w + 2 * border) + x] + in[y * w + x];
}

static void colours(int w, int h, int pad)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            grey[y * w + x] = (pixels[(y * (w + pad) + x) * 3] + pixels[(y * (w + pad) + x) * 3 + 1]
                               + pixels[(y * (w + pad) + x) * 3 + 2]) / 3;
}

static void planes(int nx, int ny, int nz, int g, float *a)
{
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 1; x < nx; x++)
                a[(z * (ny + g) + y) * (nx + g) + x] += 0.5f * a[(z * (ny + g) + y) * (nx + g) + x - 1];
}

/* Rows overlap: x goes on behind the end of a row for some borders, and what it finds there is new. */
static void overlapping(int w, int h, int border, float *a)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            a[y * (w + 2 * border) + x + 1] = 0.5f * a[y * (w + 2 * border) + x] + 1;
}

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        in[i] = (float)(i * 37 % 101) / 8;
        k[i] = (float)(i * 13 % 17) / 4;
        out[i] = i;
    }
    for (int i = 0; i < 3 * N; i++)
        pixels[i] = i * 7 % 251;
    memset(grey, 0, sizeof grey);
}

static void show(const char *what)
{
    unsigned long hash = 1469598103934665603ul;
    for (int i = 0; i < N; i++) {
        unsigned bits;
        memcpy(&bits, &out[i], 4);
        hash = (hash ^ bits ^ grey[i]) * 1099511628211ul;
    }
    printf("%s %lx\n", what, hash);
}

int main(void)
{
    for (int r = -1; r < 4; r++) {
        fill();
        convolve(40, 30, r);
        show("convolve");
    }
    for (int border = -3; border < 4; border++) {
        fill();
        bordered(20, 15, border, out + 512);
        show("bordered");
        fill();
        overlapping(20, 15, border, out + 512);
        show("overlapping");
        fill();
        colours(25, 20, border);
        show("colours");
        fill();
        planes(9, 8, 7, border, out + 1024);
        show("planes");
    }
    return 0;
}
