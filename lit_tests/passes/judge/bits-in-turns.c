// The bits of bytes, each in a byte of its own: LLVM computes them in eight bits, and puts vectors
// of them together by halves, which no vectors of a row of eight are as fast as.
// RUN: polyopt-cc -O3 -march=x86-64-v4 --remarks -c %s -o %t.o 2>&1 | filecheck %s

// CHECK: bits-in-turns.c:8:21: analysis: the code stays as it was written
void unpack(const unsigned char *restrict packed, unsigned char *restrict bits, int n)
{
    for (int i = 0; i < n; i++)
        for (int b = 0; b < 8; b++)
            bits[8 * i + b] = packed[i] >> (7 - b) & 1;
}
