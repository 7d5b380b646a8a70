// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffp-contract=off --remarks -c -o %t.o %s 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffp-contract=off --emit=schedule -o - %s | filecheck %s --check-prefix=IR
// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffp-contract=off --run %s > %t.made
// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffp-contract=off --poly=none --run %s > %t.source
// RUN: diff %t.made %t.source

// Of records of eight numbers two are used, in sweeps over neighbours: while these run, each of the two has a row of its own. What is
// read is copied in, what is written is copied out, the other members are left alone; where parameters decide, they are asked first.

#include <stdio.h>

struct node { double height, speed, other[6]; };

// CHECK-DAG: applied: a has the members of its records of 8 in rows of their own, copied in and out, where that takes at most 268435456 bytes, where each is used 16 times or more [poly-split-records]
// CHECK-DAG: applied: b has the members of its records of 8 in rows of their own, copied out, where that takes at most 268435456 bytes, where each is used 16 times or more [poly-split-records]
// IR:      [[OFTEN:%.*]] = arith.andi {{.*}} : i1
// IR:      [[FITS:%.*]] = arith.cmpi ule
// IR:      [[BOTH:%.*]] = arith.andi [[FITS]], [[OFTEN]] : i1
// IR-NEXT: scf.if [[BOTH]] {
// IR:        poly.scop "wave"
// IR-SAME:   local ["a_layout", "b_layout"]
// IR:        poly.read %a_layout <"[steps, n] -> { S0[t, i] -> a_layout[0, -1 + i] }">
// IR:        poly.stmt "a_in"
// IR:          poly.write {{.*}}, %a_layout <"[steps, n] -> { a_in[i0, i1] -> a_layout[i0, i1] }">
// IR:      } else {
// IR:        poly.scop "wave"
// IR-NOT:    layout
// IR:        poly.read %a{{.*}} -> a[-8 + 8i] }"
void wave(int n, int steps, struct node *restrict a, struct node *restrict b)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i].height = 0.25 * (a[i - 1].height + a[i + 1].height) + 0.5 * a[i].height;
        for (int i = 1; i < n - 1; i++)
            a[i].height = b[i].height + 0.001 * a[i].speed;
    }
}

// Of known sizes nothing is asked; rows of records, too.
struct pair { float now, before, rest[2]; };
struct pair grid[40][50];

// CHECK-DAG: applied: grid has the members of its records of 4 in rows of their own, copied in and out [poly-split-records]
void settle(void)
{
    for (int t = 0; t < 20; t++)
        for (int i = 1; i < 39; i++)
            for (int j = 1; j < 49; j++)
                grid[i][j].now = (grid[i - 1][j].now + grid[i][j - 1].now + grid[i + 1][j].now + grid[i][j + 1].now) / 4;
}

static struct node a[300], b[300];

int main(void)
{
    for (int n = 0; n < 300; n += n < 20 ? 1 : 53)
        for (int steps = 0; steps < 40; steps += 13) {
            for (int i = 0; i < 300; i++)
                for (int k = 0; k < 6; k++)
                    a[i].height = i % 7, b[i].height = a[i].speed = i % 5, b[i].speed = a[i].other[k] = b[i].other[k] = i + k;
            wave(n, steps, a, b);
            double sum = 0;
            for (int i = 0; i < 300; i++)
                for (int k = 0; k < 6; k++)
                    sum += (a[i].height + 2 * b[i].height + 3 * a[i].speed + b[i].speed + a[i].other[k] - b[i].other[k]) * (i % 11 + k);
            printf("%d %d %a\n", n, steps, sum);
        }
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 50; j++)
            grid[i][j] = (struct pair){i * j % 9, i, {j, i + j}};
    settle();
    double sum = 0;
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 50; j++)
            sum += grid[i][j].now * (i + 1) + grid[i][j].before * j + grid[i][j].rest[0] - grid[i][j].rest[1] * (j % 3);
    printf("%a\n", sum);
}
