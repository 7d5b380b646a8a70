// RUN: polyopt-cc -O2 --emit=poly --skip-pass=split-accesses --remarks -o /dev/null %s 2>&1 | filecheck %s

// What is no static control part says so, at its line and with what to change. Memory of two types may be one by split-accesses.

#include <stdio.h>

void calls(int n, double *a)
{
    for (int i = 0; i < n; i++) {
        a[i] = 1.0;
        printf("%d\n", i);
    }
}

void depends_on_data(int n, double *a)
{
    int i = 0;
    while (a[i] > 0.0) {
        a[i] -= 1.0;
        i += n;
    }
}

void quadratic(int n, double *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i * i; j++)
            a[j] += 1.0;
}

void rows_of_pointers(int n, double **a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = 1.0;
}

void mixed(int n, double *a, int *restrict b)
{
    for (int i = 0; i < n; i++) {
        a[i] = 1.0;
        ((int *)a)[i] = b[i];
    }
}

void endless(double *a)
{
    for (;;)
        a[0] += 1.0;
}

void into_the_middle(int n, double *a)
{
    int i = 0;
    if (n > 5)
        goto middle;
again:
    a[i] = 1.0;
middle:
    i++;
    if (i < n)
        goto again;
}

void anywhere(int n, const int *where, double *a, double *b)
{
    for (int i = 0; i < n; i++)
        a[where[i]] = b[i];
}

int early(int n, double *a)
{
    for (int i = 0; i < n; i++) {
        if (a[i] == 7.0)
            return 1;
        a[i] = 1.0;
    }
    return 0;
}

int greatest(int n, const int *a)
{
    int most = a[0];
    for (int i = 1; i < n; i++)
        if (a[i] > most)
            most = a[i];
    return most;
}

void watches(int n, volatile int *port)
{
    for (int i = 0; i < n; i++)
        *port = i;
}

// CHECK: refuses.c:11:{{[0-9]+}}: missed: the call of printf writes in the order of the iterations: compute in a loop of its own, and write behind it [scop-call]
// CHECK: refuses.c:18:{{[0-9]+}}: missed: the loop's condition depends on data: {{.*}} [scop-loop-bound]
// CHECK: refuses.c:27:{{[0-9]+}}: missed: the loop's condition is no sum of loop variables: it contains {{.*}} [scop-loop-bound]
// CHECK: refuses.c:35:{{[0-9]+}}: missed: the array's address changes while the loops run: it is read from a {{.*}} [scop-base-pointer]
// CHECK: refuses.c:42:{{[0-9]+}}: missed: the same memory is accessed as elements of different types: let the members of a struct have one type, or an array each [scop-element-type]
// CHECK: refuses.c:48:{{[0-9]+}}: analysis: the loop never ends [scop-endless-loop]
// CHECK: refuses.c:62:{{[0-9]+}}: missed: control jumps into the middle of a loop: give the loop one entry [scop-irreducible]
// CHECK: refuses.c:68:{{[0-9]+}}: missed: 'a' may overlap 'b', and how far it goes is not known before the loops run: declare the pointers restrict [scop-alias]
// CHECK: refuses.c:73:{{[0-9]+}}: missed: control may leave the function in the middle: let the loops end first [scop-return]
// CHECK: refuses.c:84:{{[0-9]+}}: missed: nothing is stored: what is computed stays in registers, and an iteration needs most of the one before [scop-nothing-stored]
// CHECK: refuses.c:93:{{[0-9]+}}: missed: each access of a volatile object has to stay where it is [scop-operation]

double outside(double);

void asks(int n, double x[n])
{
    for (int i = 0; i < n; i++)
        x[i] = outside(x[i]);
}

// CHECK: refuses.c:113:{{[0-9]+}}: missed: the call of outside may do anything: {{.*}} inline it; if it only computes, '__attribute__((const))' in its declaration says so
