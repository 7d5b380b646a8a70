// RUN: polyopt-cc -O3 --poly=identity --remarks -c %s -o %t.o 2>&1 | filecheck %s
// Where an array goes as far as data say, and may overlap another one, the loops in front of that are a
// control part all the same; not those in which both are touched already.

unsigned in_front(int n, const unsigned char *bytes, unsigned *table, unsigned *result)
{
    for (unsigned i = 0; i < 256; i++)
        table[i] = i * 3;
    for (int i = 0; i < n; i++)
        table[bytes[i] * bytes[i]] = i;
    *result = 0;
    return 0;
}

void both(int n, int *x, int *y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[x[i]];
}

// What goes from iteration to iteration in a register is named.
unsigned summed(int n, const unsigned char *bytes, const unsigned *table)
{
    unsigned check = ~0u;
    for (int i = 0; i < n; i++)
        check = table[(check ^ bytes[i]) & 255] ^ (check >> 8);
    return check;
}

// CHECK: unknown-range.c:7:{{[0-9]+}}: analysis: static control part: 1 statement, 1 array, loops nested 1 deep
// CHECK: unknown-range.c:10:{{[0-9]+}}: missed: 'table' may overlap 'bytes', and how far it goes is not known before the loops run: declare the pointers restrict [scop-alias]
// CHECK: unknown-range.c:18:{{[0-9]+}}: missed: 'x' may overlap 'y', and how far it goes is not known before the loops run: declare the pointers restrict [scop-alias]
// CHECK: unknown-range.c:25:{{[0-9]+}}: missed: nothing is stored: what is computed stays in registers, and an iteration needs check of the one before [scop-nothing-stored]
