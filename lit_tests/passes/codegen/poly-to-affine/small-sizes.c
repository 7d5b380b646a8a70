// RUN: polyopt-cc -O3 -ffast-math -march=x86-64-v4 --emit=affine -o - %s | filecheck %s

// Products of small blocks in other loops: sizes that the blocks bound end loops that show it, and
// there is a version for whole blocks. The block in between stays one, and what sums are kept in
// takes as much as they ever need, in each version another place.

double a[12][8][8], b[8][8], c[12][8][8];

void twice(int count, int n)
{
    for (int k = 0; k < count; k++) {
        double block[8][8];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double s = 0;
                for (int l = 0; l < n; l++)
                    s += a[k][i][l] * b[l][j];
                block[i][j] = s;
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double s = 0;
                for (int l = 0; l < n; l++)
                    s += block[i][l] * block[l][j];
                c[k][i][j] += s;
            }
    }
}

// CHECK-LABEL: func.func @twice(
// CHECK:         %s_x = memref.alloc() {{.*}}: memref<8x8xf64>
// CHECK-NEXT:    %s_x_1 = memref.alloc() {{.*}}: memref<8x8xf64>
// CHECK-NOT:     scf.if
// CHECK:         "affine.if"({{.*}}) <{condition = affine_set<()[s0, s1] : ((s0 + -12) == 0, (s1 + -8) == 0)>}>
// CHECK-NEXT:      affine.for %k_1 = 0 to 12 {
// CHECK-NEXT:        affine.for %i = 0 to 8 {
// CHECK-NEXT:          affine.for %j = 0 to 8 {
// CHECK-NEXT:            affine.store %{{.*}}, %s_x_1[%i, %j]
// CHECK-NOT:     scf.if
// CHECK:         affine.for %k_2 = 0 to min affine_map<()[s0] -> (s0, 12)>()
// CHECK-NEXT:      affine.for %i_2 = 0 to min affine_map<()[s0] -> (s0, 8)>()
