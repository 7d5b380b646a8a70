// The least of a window that ends at an image's borders, which conditions on the loop's counter say: LLVM has lanes
// under masks for that, as the code is written. Taken apart into a variable for each step, two conditions that
// exclude each other are two halves to LLVM, and what is loaded behind them might be of the iteration before.
// RUN: polyopt-cc -O3 -march=x86-64-v4 --remarks -c -o %t.o %s 2>&1 | filecheck %s

// CHECK: borders.c:{{.*}}: analysis: the code stays as it was written
// CHECK-NOT: what was made of the loops is kept
void erode(const unsigned char *restrict a, unsigned char *restrict o, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int least = 255;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    int yy = y + dy, xx = x + dx;
                    if (yy < 0 || yy >= h || xx < 0 || xx >= w)
                        continue;
                    if (a[yy * w + xx] < least)
                        least = a[yy * w + xx];
                }
            o[y * w + x] = (unsigned char)least;
        }
}

// Of 25 places the loops stay; between the first and the last of them there are numbers in most iterations.
// CHECK: borders.c:{{.*}}: analysis: the code stays as it was written
// CHECK-NOT: what was made of the loops is kept
void dilate(int h, int w, unsigned char a[300][400], unsigned char o[restrict 300][400])
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            unsigned char most = 0;
            for (int j = -2; j <= 2; j++)
                for (int i = -2; i <= 2; i++) {
                    int yy = y + j, xx = x + i;
                    if (yy < 0 || yy >= h || xx < 0 || xx >= w)
                        continue;
                    if (a[yy][xx] > most)
                        most = a[yy][xx];
                }
            o[y][x] = most;
        }
}
