// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffp-contract=off --remarks -c -o %t.o %s 2>&1 | filecheck %s

// What one iteration loads and the next one loads, too, LLVM takes over from one to the next. Where a store of
// what depends on it is in between, it makes no vectors of the loop then; where there is none, it does.

double un[1000], vn[1000], u[1000], v[1000];

// CHECK:      taken-over.c:11:{{.*}} is kept: 2,{{...}} cycles{{.*}} 4,{{...}} cycles
void too_late(void)
{
    for (int i = 0; i < 999; i++) {
        u[i] = un[i] / vn[i];
        v[i] = un[i] - vn[i + 1];
    }
}

// CHECK:      taken-over.c:20:{{.*}} stays as it was written
void early(void)
{
    for (int i = 0; i < 999; i++) {
        v[i] = un[i] - vn[i + 1];
        u[i] = un[i] / vn[i];
    }
}

float c[15], x[4000], y[4000], e[4000];

// A tap of the filter, x[i - 1], is what the iteration before has loaded behind the sum.

// CHECK:      taken-over.c:33:{{.*}} is kept:
void filter(void)
{
    for (int i = 30; i < 3970; i++) {
        float s = 0;
        for (int k = 0; k < 15; k++)
            s += c[k] * (x[i + 2 * k + 1] - x[i - 2 * k - 1]);
        y[i] = s;
        e[i] = x[i] * s;
    }
}

// Of an even distance none is.

// CHECK:      taken-over.c:47:{{.*}} stays as it was written
void even(void)
{
    for (int i = 30; i < 3970; i++) {
        float s = 0;
        for (int k = 0; k < 15; k++)
            s += c[k] * (x[i + 2 * k] - x[i - 2 * k - 2]);
        y[i] = s;
        e[i] = x[i + 33] * s;
    }
}
