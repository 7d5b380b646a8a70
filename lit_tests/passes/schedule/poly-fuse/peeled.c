// Loops whose bounds differ run as one, and what only one of them has runs before: figure 13 of
// Berlin, Edelsohn, Pop (GCC Summit 2004), where the first loop begins one iteration earlier. By hand
// in the compiler, too (--schedule), where no test is left in the loop.
// RUN: polyopt-cc -O2 --emit=poly -o - %s | polyopt-opt -p 'poly-fuse{places="S0","S1"},poly-to-affine,affine-split-guards' | filecheck %s
// RUN: printf 'scop f\nfuse S0 S1\n' > %t.steps
// RUN: polyopt-cc -O3 --schedule=%t.steps --emit=loops -o - %s | filecheck %s --check-prefix=LOOPS

void f(int n, double q, double *restrict a, const double *restrict b, double *restrict c)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] * b[i];
    for (int j = 1; j < n; j++)
        c[j] = a[j - 1] + q * b[j];
}

// CHECK:      "affine.if"({{.*}}s0 + -1) >= 0
// CHECK-NEXT:   affine.load %b_{{.*}}[0]
// CHECK-NEXT:   arith.mulf
// CHECK-NEXT:   affine.store %{{.*}}, %a_{{.*}}[0]
// CHECK:      affine.for %{{.*}} = 1 to %n
// CHECK-NOT:    affine.if
// CHECK:        affine.store %{{.*}}, %a
// CHECK-NOT:    affine.if
// CHECK:        affine.store %{{.*}}, %c

// LOOPS-LABEL: func.func @f(
// LOOPS:       affine.for
// LOOPS-NOT:   affine.if
// LOOPS:       func.return
