// Loops of one size each stay, and so does what nobody writes, what is a row of an array, what is no multiple, and pointers.
// RUN: polyopt-opt %s -p "promote-scalars,clean-values,split-accesses" | filecheck %s
// RUN: polyopt-cc -O3 --emit=prepared -o - %s | filecheck %s

// CHECK-NOT: arith.shli
// CHECK-NOT: arith.ori
unsigned beside(int n, unsigned *restrict w)
{
    unsigned char *b = (unsigned char *)w;
    unsigned sum = 0;
    for (int i = 0; i < n; i++)
        b[4 * i] = 0;
    for (int i = 0; i < n; i++)
        sum += w[i];
    return sum;
}

void only_read(int n, const unsigned *restrict w, unsigned *restrict out)
{
    const unsigned char *b = (const unsigned char *)w;
    for (int i = 0; i < n; i++)
        out[i] = w[i] + b[4 * i + 2];
}

void rows(int n, unsigned w[n][n])
{
    unsigned char *b = (unsigned char *)w;
    for (int i = 0; i < n; i++)
        w[i][0] = b[4 * i];
}

unsigned pointers(int n, char *text, void *memory)
{
    char **p = memory;
    unsigned char *b = memory;
    unsigned sum = 0;
    for (int i = 0; i < n; i++) {
        p[i] = text + i;
        sum += b[8 * i];
    }
    return sum;
}
// CHECK-NOT: arith.shli
// CHECK-NOT: arith.ori
