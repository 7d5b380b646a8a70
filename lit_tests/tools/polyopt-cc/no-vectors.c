// Without vectors: neither the loop stage writes any, nor LLVM.
// RUN: polyopt-cc -O3 -march=x86-64-v3 -S %s -o - | filecheck %s --check-prefix=WITH
// RUN: polyopt-cc -O3 -march=x86-64-v3 -fno-vectorize -S %s -o - | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v3 -fno-poly -fno-tree-vectorize -S %s -o - | filecheck %s

void add(int n, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] += b[i];
}

// WITH: ymm
// CHECK-NOT: {{[xyz]}}mm{{.*}}pd
// CHECK: vaddsd
// CHECK-NOT: ymm
