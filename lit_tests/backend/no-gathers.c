// Of AMD's CPUs LLVM is told that gathering and scattering by one instruction is no faster than
// element by element, in functions with loops and without, so that each is inlined into the other; of
// others it is told nothing.
// RUN: polyopt-cc -O3 -fno-poly -march=znver5 --emit=llvm %s -o - | filecheck %s
// RUN: polyopt-cc -O3 -fno-poly -march=znver5 -S %s -o - | filecheck %s --check-prefix=INLINED
// RUN: polyopt-cc -O3 -fno-poly -march=znver5 -mtune=skylake-avx512 --emit=llvm %s -o - | filecheck %s --check-prefix=OTHER
// RUN: polyopt-cc -O3 -fno-poly -march=x86-64-v4 --emit=llvm %s -o - | filecheck %s --check-prefix=OTHER

// CHECK: "target-features"="+prefer-no-gather,+prefer-no-scatter"
// OTHER-NOT: prefer-no
void columns(int n, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n; i++) a[7 * i] = b[9 * i] + 1;
}

static double sum(const double *a, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}

// INLINED-LABEL: straight:
// INLINED-NOT:   call
// INLINED:       ret
double straight(const double *a) { return sum(a, 3) / sum(a + 3, 3); }
