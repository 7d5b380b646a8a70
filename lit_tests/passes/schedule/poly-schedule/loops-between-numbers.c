// A filter over channels: two loops run as far as sizes say, four between numbers, and the last iteration of each
// of these leads to the next one of all around. It is ordered at once (isl's integers grew for minutes).
// RUN: polyopt-cc -O3 -march=x86-64-v4 --remarks -c -o %t.o %s 2>&1 | filecheck %s

// CHECK: loops-between-numbers.c:14:{{.*}}: applied: loops y, z, f, j, i, c: order of the source, no dependence carried by f

signed char x[34][34][16], k[16][3][3][16], o[32][32][16];

void filter(int h, int w)
{
    for (int y = 0; y < h; y++)
        for (int z = 0; z < w; z++)
            for (int f = 0; f < 16; f++) {
                int s = 0;
                for (int j = 0; j < 3; j++)
                    for (int i = 0; i < 3; i++)
                        for (int c = 0; c < 16; c++)
                            s += x[y + j][z + i][c] * k[f][j][i][c];
                s = (s + 512) >> 10;
                o[y][z][f] = s > 127 ? 127 : s < -128 ? -128 : s;
            }
}
