// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffp-contract=off --emit=poly -o %t.mlir %s
// RUN: polyopt-opt %t.mlir -p 'poly-split-records{march=x86-64-v3}' --remarks -o %t.new 2>&1 | filecheck %s
// RUN: polyopt-opt %t.mlir -p 'poly-split-records{march=x86-64-v3 limit=1000}' --remarks -o %t.small 2>&1 | filecheck %s --check-prefix=SMALL
// RUN: polyopt-opt %t.mlir -p 'poly-split-records{march=x86-64-v3 operations=10}' --remarks -o %t.dear 2>&1 | filecheck %s --check-prefix=DEAR

// An array of known size that takes more than `limit` stays; so does what costs more than `operations`.

// CHECK-DAG: applied: table has the members of its records of 4 in rows of their own, copied in and out [poly-split-records]
// SMALL-DAG: missed: records stay as they are: poly-split-records: table would take {{.*}} bytes, more than 1000 [poly-split-records]
// DEAR:      missed: records stay as they are: {{.*}} [poly-split-records]
struct { double now, rest[3]; } table[500];
void known(void)
{
    for (int t = 0; t < 100; t++)
        for (int i = 1; i < 500; i++)
            table[i].now += 0.5 * table[i - 1].now;
}

// What is read of p ends at n or at m, whichever is greater.
// CHECK-DAG: applied: p has the members of its records of 8 in rows of their own, copied in, where that takes at most 268435456 bytes, where each is used 16 times or more [poly-split-records]
struct node { double height, speed, other[6]; };
void two_ends(int n, int m, const struct node *restrict p, double *restrict r)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            r[i] += p[j].height * p[i].speed;
}

// Every other number is a record of two of which one is used.
// CHECK-DAG: applied: x has the members of its records of 2 in rows of their own, copied in and out, where that takes at most 268435456 bytes, where each is used 16 times or more [poly-split-records]
void every_other(int n, int steps, float *restrict x)
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n; i++)
            x[2 * i + 1] += 0.5f * x[2 * i - 1];
}
