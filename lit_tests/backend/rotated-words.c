// Words that are rotated are no vectors of straight code: a round waits for the one before, and each
// rotation is one instruction on an integer register. LLVM alone gathers the four words in vectors.
// RUN: polyopt-cc --cache=off -O3 -march=x86-64-v4 -S -o - %s | filecheck %s --check-prefix ROTATED
// RUN: polyopt-cc --cache=off -O3 -march=x86-64-v4 -DAMOUNT -S -o - %s | filecheck %s --check-prefix ROTATED
// The same rounds in floating-point numbers may be vectors.
// RUN: polyopt-cc --cache=off -O3 -march=x86-64-v4 -DFLOATS -S -o - %s | filecheck %s --check-prefix FLOATS

#ifdef AMOUNT
static unsigned turned(unsigned x, int n) { return (x << n) | (x >> (32 - n)); }
#define TURNED(x, n) turned(x, n)
#else
#define TURNED(x, n) ((x) << (n) | (x) >> (32 - (n)))
#endif

#ifdef FLOATS
typedef float word;
#define ROUND(a, b, c, d) a += b; d = (d - a) * 16; c += d; b = (b - c) * 12
#else
typedef unsigned word;
#define ROUND(a, b, c, d) a += b; d = TURNED(d ^ a, 16); c += d; b = TURNED(b ^ c, 12)
#endif

// ROTATED-LABEL: rounds:
// ROTATED-NOT: vprol
// ROTATED: r{{o|or}}{{[lrx]*}}
// ROTATED-NOT: vprol
// FLOATS-LABEL: rounds:
// FLOATS: v{{(add|sub|mul)}}ps
void rounds(word x[16], int times)
{
    word v[16];
    for (int i = 0; i < 16; i++) v[i] = x[i];
    for (int t = 0; t < times; t++) {
        ROUND(v[0], v[4], v[8], v[12]);
        ROUND(v[1], v[5], v[9], v[13]);
        ROUND(v[2], v[6], v[10], v[14]);
        ROUND(v[3], v[7], v[11], v[15]);
    }
    for (int i = 0; i < 16; i++) x[i] = v[i];
}
