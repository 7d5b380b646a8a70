// Bytes that registers hold are looked up for many elements of a row at once: lanes, which would take
// out and put together each by itself, are no better. A table of words is gathered in lanes.
// RUN: polyopt-cc -O3 -march=x86-64-v4 -mavx512vbmi -ffp-contract=off --cache=off --remarks -c %s -o %t.o 2>&1 | filecheck %s

unsigned char count[256], q[64], all[4096][64];

// CHECK-NOT: in lanes
// CHECK:     vectors of {{(16|32|64)}}
void distances(int *restrict d, int n)
{
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int j = 0; j < 64; j++)
            s += count[q[j] ^ all[i][j]];
        d[i] = s;
    }
}
