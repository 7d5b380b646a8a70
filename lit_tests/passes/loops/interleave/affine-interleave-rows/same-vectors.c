// Rows that all add to the same vector run in a loop of whole steps, and in one for those that are
// left, so that LLVM keeps the vector in a register; it was filled as a whole, too.
// RUN: polyopt-cc -O3 -march=x86-64-v4 -ffp-contract=off --cache=off --emit=loops %s -o - | filecheck %s

float va[32000], B[4000][16], C[4000][16];
int ci[32000];

// CHECK-LABEL: func.func @row(
// CHECK:         affine.vector_store {{.*}} : memref<4000x16xf32>, vector<16xf32>
// CHECK:         affine.for %p{{.*}} step 4 {
// CHECK-NOT:     affine.if(%
// CHECK:         affine.for %p{{.*}} = max
// CHECK:         func.return
void row(int i, int from, int to)
{
    for (int c = 0; c < 16; c++)
        C[i][c] = 0;
    for (int p = from; p < to; p++)
        for (int c = 0; c < 16; c++)
            C[i][c] += va[p] * B[ci[p]][c];
}
