// Of AMD's CPUs LLVM is told that gathering and scattering by one instruction is no faster than
// element by element, but in functions where a model of ours gathers; of others it is told nothing.
// RUN: polyopt-cc -O3 -fno-poly -march=znver5 --emit=llvm %s -o - | filecheck %s
// RUN: polyopt-cc -O3 -fno-poly -march=znver5 -mtune=skylake-avx512 --emit=llvm %s -o - | filecheck %s --check-prefix=OTHER
// RUN: polyopt-cc -O3 -fno-poly -march=x86-64-v4 --emit=llvm %s -o - | filecheck %s --check-prefix=OTHER

// CHECK: "target-features"="+prefer-no-gather,+prefer-no-scatter"
// OTHER-NOT: prefer-no
void columns(int n, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n; i++) a[7 * i] = b[9 * i] + 1;
}
