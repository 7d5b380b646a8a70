// A variable that is written first in each iteration, and whose later stores under conditions are
// choices by now, is a value: the best of three takes no memory.
// RUN: polyopt-opt %s -p 'promote-scalars,if-convert' | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v4 -ffast-math --cache=off --remarks -c %s -o %t.o 2>&1 | filecheck %s --check-prefix SAID

// CHECK-LABEL: func.func @align(
// CHECK-NOT:     memref.alloca() : memref<f32>
// CHECK:         arith.select
// CHECK:         arith.select
// CHECK:         func.return
// SAID:        iterations of i in lanes, each 1 behind the one before
void align(float (*restrict M)[500], const float *a, const float *b, int n, float gap)
{
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++) {
            float m = M[i - 1][j - 1] + a[i] * b[j], up = M[i - 1][j] - gap, left = M[i][j - 1] - gap;
            if (up > m)
                m = up;
            if (left > m)
                m = left;
            M[i][j] = m;
        }
}

// What an earlier iteration leaves there stays in memory.
// CHECK-LABEL: func.func @running(
// CHECK:         memref.alloca() : memref<f32>
// CHECK:         func.return
void running(float *restrict x, const float *a, int n)
{
    float m = a[0];
    for (int i = 1; i < n; i++) {
        if (a[i] > m)
            m = a[i];
        x[i] = m;
    }
}
