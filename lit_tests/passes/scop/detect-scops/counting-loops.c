// RUN: polyopt-opt %s -p promote-scalars,clean-values,if-convert,simplify-loops,detect-scops | filecheck %s

// A loop that only counts, behind a sum in a loop around, is in no static control part: nor is the
// store between them then, for which arrays would have to be found apart again and again.

// CHECK-LABEL: func.func @resampled(
// CHECK-NOT:     cmem.overlap
// CHECK:         poly.scop "resampled"
// CHECK-NOT:     poly.stmt "S2"
// CHECK:         memref.store
// CHECK:         cf.cond_br
// CHECK:         arith.subi
// CHECK:         func.return
void resampled(const float *x, float (*h)[24], float *y, int n)
{
    int phase = 0, place = 0;
    while (place < n) {
        float s = 0;
        for (int k = 0; k < 24; k++)
            s += h[phase][k] * x[place + k];
        *y++ = s;
        phase += 3;
        while (phase >= 5) {
            phase -= 5;
            place++;
        }
    }
}

// What adds up what is not a number is a loop like others.
// CHECK-LABEL: func.func @rises(
// CHECK:         poly.scop "rises"
// CHECK:         func.return
void rises(int *a, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i * i;
    a[0] = sum;
}
