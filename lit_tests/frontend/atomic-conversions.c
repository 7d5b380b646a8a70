// RUN: polyopt-cc -O0 --cache=off --run %s | filecheck %s
// RUN: polyopt-cc -O3 --cache=off --run %s | filecheck %s

// What is computed in a wider type than the atomic object's is exchanged for what was there, once it
// is its type again: 1.5f * 1.1 is rounded once from a double, as is 1 / 3.0 (C 6.5.16.2).

#include <stdio.h>

int main(void) {
    _Atomic float single = 1.5f;
    _Atomic double number = 1;
    _Atomic long whole = 1L << 40;
    single *= 1.1;
    // CHECK: 1.64999998
    printf("%.9g\n", single);
    single++;
    // CHECK-NEXT: 2.6500001
    printf("%.9g\n", single);
    // CHECK-NEXT: 0.33333333333333331
    printf("%.17g\n", number /= 3);
    // CHECK-NEXT: 549755813888
    printf("%ld\n", whole *= 0.5);
    _Atomic int count = 7;
    // CHECK-NEXT: 18 19 19
    printf("%d ", count *= 2.7);
    printf("%d ", count += 1.9);
    printf("%d\n", count -= -0.5);
}
