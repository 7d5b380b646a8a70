// A number that only says how often the loops inside run gains little by a copy: all such copies of a
// module share a size, and who comes later is told.
// RUN: polyopt-opt %s -p known-arguments --remarks 2> %t | filecheck %s
// RUN: filecheck %s --input-file %t --check-prefix=TOLD
#define TERMS(k) a[i + k] += 0.5 * a[i]; a[i + k] *= a[i + k + 1]; a[i] -= a[i + k] * a[i + k + 2]
#define OVER_TIME(name)                                                             \
    void name(int n, int steps, double *a)                                          \
    {                                                                               \
        for (int t = 0; t < steps; t++)                                             \
            for (int i = 0; i < n; i++) {                                           \
                TERMS(1); TERMS(2); TERMS(3); TERMS(4); TERMS(5); TERMS(6);         \
            }                                                                       \
    }

// CHECK: func.func private @first.5(
OVER_TIME(first)
// CHECK-NOT: @second.5(
// TOLD: no copy of second for steps = 5: it only says how often
OVER_TIME(second)

// Here the number of the step decides where inner loops begin.
// CHECK: func.func private @triangle.5(
void triangle(int n, int steps, double *a)
{
    for (int t = 0; t < steps; t++)
        for (int i = t; i < n; i++)
            a[i] *= 0.5;
}

// And here which elements they change.
// CHECK: func.func private @rows.5(
void rows(int n, int steps, double a[][8])
{
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++)
            a[t][i] *= 0.5;
}

void calls(int n, double *a)
{
    first(n, 5, a);
    second(n, 5, a);
    triangle(n, 5, a);
    rows(n, 5, (void *)a);
}
