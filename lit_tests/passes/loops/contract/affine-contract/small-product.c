// The 32 x 32 product of T. Grosser's thesis on Polly, chapter 8, in which each access has its
// unit stride along another loop: the steps that lead to its code.

// Its listing 10: the loop structure that is ready for vectors, by hand.
// RUN: polyopt-cc -O2 --emit=poly -o - %s | polyopt-opt -p 'poly-strip-mine{loop="S0.j" size=4},poly-permute{loops="S0.k","S0.j_tile","S0.i","S0.j"},poly-to-affine' | filecheck %s --check-prefix=LOOPS

// Vectors, loads that leave the inner loop, registers and unrolling, by the model.
// RUN: polyopt-cc -O3 -march=x86-64-v3 --emit=loops -o - %s | filecheck %s

float A[32][32], B[32][32], C[32][32];

void product(void)
{
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < 32; j++)
            for (int k = 0; k < 32; k++)
                C[i][j] += A[k][i] * B[j][k];
}

// LOOPS:      affine.for %[[K:.*]] = 0 to 32 {
// LOOPS-NEXT:   affine.for %[[STRIP:.*]] = 0 to 32 step 4 {
// LOOPS-NEXT:     affine.for %[[I:.*]] = 0 to 32 {
// LOOPS-NEXT:       affine.for %[[J:.*]] = affine_map<(d0) -> (d0)>(%[[STRIP]]) to affine_map<(d0) -> ((d0 + 4))>(%[[STRIP]]) {
// LOOPS:            } {poly.loop = #poly.loop<parallel,

// The panels are small, and lie on the stack: no allocation.
// CHECK-NOT:  memref.alloc(
// CHECK:      %[[COLUMNS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<2x32x16xf32>
// CHECK-NEXT: %[[ROWS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<8x32x4xf32>

// B lies across the vectors: it is loaded along k, transposed in registers, and out of the way of
// the inner loops.
// CHECK:      affine.vector_load %B[
// CHECK:      vector.shuffle
// CHECK:      affine.vector_store %{{.*}}, %[[COLUMNS]][
// CHECK:      affine.vector_load %A[

// The inner loop: 4 rows by 2 vectors of C in registers, a vector of B, elements of A in all lanes
// (stride 0); nothing else is loaded and nothing is stored.
// CHECK:      affine.for %{{.*}} iter_args(
// CHECK-NEXT:   affine.load %[[ROWS]][
// CHECK-NEXT:   vector.broadcast
// CHECK-NEXT:   affine.vector_load %[[COLUMNS]][
// CHECK-NOT:    affine.vector_store
// CHECK-NOT:    affine.load %C
// CHECK:        affine.yield %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} :
