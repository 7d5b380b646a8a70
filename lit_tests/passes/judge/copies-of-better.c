// A copy for 30 right sides, of which nothing pays, goes where what was made of the function takes less for as many.
// RUN: polyopt-cc -O3 -ffast-math -march=sapphirerapids --emit=llvm %s | filecheck %s

// CHECK-NOT: trsm.30
// CHECK:     define {{.*}}@run(
// CHECK:     call void @trsm(i32 100, i32 30)
double L[100][100], B[100][30];

void trsm(int n, int r)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            for (int j = 0; j < r; j++)
                B[i][j] -= L[i][k] * B[k][j];
        for (int j = 0; j < r; j++)
            B[i][j] /= L[i][i];
    }
}

void run(void) { trsm(100, 30); }
