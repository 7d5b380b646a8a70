// RUN: polyopt-cc -O3 --poly=identity --remarks -c %s -o %t.o 2>&1 | filecheck %s
// Bytes and short integers as subscripts reach no further than their types: what they may overlap is
// compared with that at run time. Integers may be anything.

void scored(int n, int m, const unsigned char *a, const short *b, int (*score)[4], int *f)
{
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            f[i * 1000 + j] = f[i * 1000 + j - 1] + score[a[i] + 2 * b[j]][j & 3];
}

void of_integers(int n, int m, const int *a, int (*score)[4], int *f)
{
    for (int i = 1; i < n; i++)
        f[i] = f[i - 1] + score[a[i]][1];
}

void squared(int n, int m, const unsigned char *a, int (*score)[4], int *f)
{
    for (int i = 1; i < n; i++)
        f[i] = f[i - 1] + score[a[i] * a[i]][1];
}

// What masks, shifts, remainders and limits leave is as long as they say; of two operands of bits, as both.
void of_bits(int n, const unsigned char *a, const unsigned *w, const char *t, char *o)
{
    for (int i = 0; i < n; i++)
        o[i] = t[a[i] ^ a[i + 1]] + t[w[i] & 255] + t[a[i] >> 2] + t[(a[i] + 3) % 10] + t[w[i] > 9 ? 9 : w[i]];
}

void of_wide_bits(int n, const unsigned *w, const char *t, char *o)
{
    for (int i = 0; i < n; i++)
        o[i] = t[w[i] ^ w[i + 1]];
}

// CHECK: ranges-of-types.c:7:{{[0-9]+}}: analysis: static control part: 1 statement, 4 arrays, loops nested 2 deep, behind a run-time check
// CHECK: ranges-of-types.c:7:{{[0-9]+}}: analysis: behind a run-time check that {{.*}}'f' and 'score'
// CHECK: ranges-of-types.c:15:{{[0-9]+}}: missed: 'score' may overlap 'f', and how far it goes is not known
// CHECK: ranges-of-types.c:21:{{[0-9]+}}: missed: 'score' may overlap 'f', and how far it goes is not known
// CHECK: ranges-of-types.c:27:{{[0-9]+}}: analysis: static control part: 1 statement, 4 arrays, loops nested 1 deep, behind a run-time check
// CHECK: ranges-of-types.c:27:{{[0-9]+}}: analysis: behind a run-time check that {{.*}}'t' and 'o'
// CHECK: ranges-of-types.c:34:{{[0-9]+}}: missed: 't' may overlap 'o', and how far it goes is not known
