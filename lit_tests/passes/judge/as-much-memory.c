// Loops of which nothing is in vectors stay only where they gain much, also where the model counts a line less of
// memory for them than for the order of the source: here both go over the same bytes.
// RUN: polyopt-cc -O3 -ffast-math -march=sapphirerapids --remarks -c %s -o %t.o 2>&1 | filecheck %s

// CHECK: as-much-memory.c:8:{{.*}}: the code stays as it was written
void pack(const unsigned char *restrict in, unsigned char *restrict out, int n, int least)
{
    for (int i = 0; i < n / 8; i++) {
        unsigned char b = 0;
        for (int k = 0; k < 8; k++)
            if (in[i * 8 + k] > least)
                b |= (unsigned char)(1u << (7 - k));
        out[i] = b;
    }
}
int n = 240000;
unsigned char in[240000], out[30000];
void run(void) { pack(in, out, n, 100); }
