// Loops that are left to LLVM and spare nothing of memory must be expected to gain a fifth: what
// LLVM makes of the source is seen less well than what is in vectors.
// RUN: polyopt-cc -O3 -march=x86-64-v4 --remarks -c %s -o %t.o 2>&1 | filecheck %s

static unsigned char raw[96][128], rgb[96][128][3];
void demosaic(int h, int w)
{
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            int c = raw[y][x];
            int cross = (raw[y - 1][x] + raw[y + 1][x] + raw[y][x - 1] + raw[y][x + 1]) / 4;
            int hor = (raw[y][x - 1] + raw[y][x + 1]) / 2;
            if (y % 2 == 0 && x % 2 == 0) { rgb[y][x][0] = c; rgb[y][x][1] = cross; }
            else if (y % 2 == 0) { rgb[y][x][0] = hor; rgb[y][x][1] = c; }
            else if (x % 2 == 0) { rgb[y][x][0] = cross; rgb[y][x][1] = hor; }
            else { rgb[y][x][0] = cross; rgb[y][x][1] = c; }
        }
}

// CHECK: plain-loops.c:8:21: analysis: the code stays as it was written

// The short loop is unrolled by LLVM, and the one around it in vectors: of all that lies between two
// iterations nothing is left out, so these are taken apart by shuffles.

void over(int n, const unsigned char *restrict f, const unsigned char *restrict b,
          unsigned char *restrict o)
{
    for (int i = 0; i < n; i++) {
        unsigned a = f[4 * i + 3];
        for (int c = 0; c < 4; c++) {
            unsigned x = f[4 * i + c] * a + b[4 * i + c] * (255 - a) + 128;
            o[4 * i + c] = (unsigned char)((x + (x >> 8)) >> 8);
        }
    }
}

// CHECK: plain-loops.c:28:{{.*}}: analysis: the code stays as it was written
