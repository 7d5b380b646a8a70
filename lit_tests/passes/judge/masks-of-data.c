// RUN: polyopt-cc -O3 -march=x86-64-v4 --emit=loops -o - %s | filecheck %s

// Vectors under masks that the data make are worth it: nothing that is stored is loaded again soon.

// CHECK-LABEL: func.func @both_arms
// CHECK:         vector.maskedstore
// CHECK:         vector.maskedstore
void both_arms(float *restrict a, float *restrict b, const float *restrict c, const float *restrict d)
{
    for (int i = 0; i < 32000; i++) {
        if (c[i] < 0)
            b[i] = a[i] + d[i] * d[i];
        else
            a[i] = c[i] + d[i] * c[i];
    }
}
