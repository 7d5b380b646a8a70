// A loop that converts to integers is unrolled as others are, though LLVM's vectorisers, and its
// unrolling among them, see conversions as calls. Each copy of the loop takes another number. Where LLVM does not unroll, neither do these.
// RUN: polyopt-cc --cache=off -O3 -fno-poly -march=x86-64-v3 -S -o - %s | filecheck %s
// RUN: polyopt-cc --cache=off -O0 -fno-poly -march=x86-64-v3 -S -o - %s | filecheck %s --check-prefix ONE

// CHECK-LABEL: count:
// CHECK-COUNT-3: vcvttsd2si
// ONE-LABEL: count:
// ONE:       vcvttsd2si
// ONE-NOT:   vcvttsd2si
void count(int n, const double *x, double scale, int bins, int *found)
{
    for (int i = 0; i < n; i++) {
        int b = (int)(x[i] * scale);
        if (b >= 0 && b < bins)
            found[b]++;
    }
}
