// What is loaded in front of the inner loop is loaded in it: the statements are contractions again.
// RUN: polyopt-cc -O3 -ffast-math --emit=poly -o - %s | polyopt-opt -p poly-forward | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v4 -ffast-math --emit=structured -o - %s | filecheck %s --check-prefix=NEST

// CHECK-LABEL: func.func @loaded
// CHECK:         poly.scop "loaded"
// CHECK-NOT:     poly.stmt "S0"
// CHECK:         poly.stmt "S1"
// CHECK:           poly.read %A{{.*}} <"[n] -> { S1[i, k, j] -> A[i, k] }">
// CHECK-NOT:       poly.read %a
// CHECK:         cf.br
// NEST:          func.func @loaded
// NEST:          contract.nest
void loaded(int n, const float *restrict A, const float *restrict B, float *restrict C)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            float a = A[i * n + k];
            for (int j = 0; j < n; j++)
                C[i * n + j] += a * B[k * n + j];
        }
}

// A product with a factor, as in the BLAS: it is computed in the loop, in front of which LLVM, or a
// panel, does it once.
// CHECK-LABEL: func.func @scaled
// CHECK:         poly.stmt "S1"
// CHECK:           [[A:%.*]] = poly.read %A{{.*}} <"[n] -> { S1[j, l, i] -> A[j, l] }">
// CHECK-NEXT:      [[P:%.*]] = arith.mulf %alpha, [[A]]
// CHECK:           arith.mulf [[P]],
// NEST:          func.func @scaled
// NEST:          contract.nest
void scaled(int n, double alpha, const double *restrict A, const double *restrict B,
            double *restrict C)
{
    for (int j = 0; j < n; j++)
        for (int l = 0; l < n; l++) {
            double temp = alpha * A[j * n + l];
            for (int i = 0; i < n; i++)
                C[j * n + i] += temp * B[l * n + i];
        }
}

// Written before, and by nobody in between.
// CHECK-LABEL: func.func @written_before
// CHECK:         poly.read %w{{.*}} <"[n] -> { S3[t, j, i] -> w[t, j] }">
void written_before(int n, float *restrict w, const float *restrict v, float *restrict out)
{
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < 24; i++)
            out[t * 24 + i] = 0;
        for (int j = 0; j <= t; j++)
            w[t * n + j] *= 2;
        for (int j = 0; j <= t; j++) {
            float a = w[t * n + j];
            for (int i = 0; i < 24; i++)
                out[t * 24 + i] += a * v[j * 24 + i];
        }
    }
}
