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
