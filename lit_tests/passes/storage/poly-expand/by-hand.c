// Told which array, and over how many loops, whatever that frees.
// RUN: polyopt-cc -O2 --emit=poly -o - %s | polyopt-opt -p 'poly-expand{arrays="x" loops=2}' | filecheck %s

double A[16][8][12], B[16][8], C[16][8];

void sums(void)
{
    double x, y;
    for (int h = 0; h < 2; h++)
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 8; j++) {
                x = y = 0.0;
                for (int k = 0; k < 12; k++) {
                    x += A[i][j][k];
                    y += A[i][j][k] * A[i][j][k];
                }
                B[i][j] = x;
                C[i][j] = y;
            }
}

// CHECK:     poly.scop "sums"
// CHECK-SAME: "x_x"] local
// CHECK:     poly.write %{{.*}}, %x_x <"{ {{.*}}[h, i, j] -> x_x[i' = i, {{.*}}j] }"> : memref<?x?xf64>
// CHECK-NOT: y_x
