// RUN: polyopt-cc -O2 --emit=loops -o - %s | filecheck %s

// A function that keeps none of its static control parts, or has none, keeps its searches that look
// ahead: it is not given back as it was written.

// CHECK-LABEL: func.func @place
// CHECK:         arith.ori
// CHECK:         cmem.seldom
int place(const float *a, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (a[i] > a[best])
            best = i;
    return best;
}
