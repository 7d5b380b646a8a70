// RUN: polyopt-cc -O3 %s -o %t && %t | filecheck %s

// Of a weak variable there may be none: the loops that count to it do not ask for it ahead of the question
// whether it is there.

#include <stdio.h>

extern int perhaps __attribute__((weak));

__attribute__((noinline)) int sum(const int *a)
{
    int s = 0;
    if (&perhaps) {
        for (int i = 0; i < perhaps; i++)
            s += a[i];
        for (int i = 0; i < perhaps; i++)
            s += 2 * a[i];
    }
    return s + a[0];
}

int main(void)
{
    int a[4] = {5, 6, 7, 8};
    printf("%d\n", sum(a));
    return 0;
}

// CHECK: 5
