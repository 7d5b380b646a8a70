// RUN: polyopt-cc -O3 -march=x86-64-v3 --emit=schedule --skip-pass=keep-what-pays -o - %s | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v3 --emit=schedule --skip-pass=keep-what-pays --skip-pass=poly-keep-small -o - %s | polyopt-opt -p "poly-keep-small{instances=2000000}" | filecheck %s --check-prefix=MORE

// A factorisation in panels: for little work the order of the source, and loops that stay as they
// are. The box of its instances is n x n x n.
// CHECK-LABEL: func.func @factor
// CHECK:         %[[LIMIT:.*]] = arith.constant 262144 : index
// CHECK:         %[[LITTLE:.*]] = arith.cmpi ule, %{{.*}}, %[[LIMIT]] : index
// CHECK:         scf.if %[[LITTLE]] {
// CHECK-NOT:       contract
// CHECK:         } else {
// CHECK:           mark: \22contract\22
// CHECK:         }{poly.for_little}
void factor(int n, double A[n][n])
{
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++)
            A[i][k] /= A[k][k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                A[i][j] -= A[i][k] * A[k][j];
    }
}

// A contraction by itself has its own test, when it is blocked.
// CHECK-LABEL: func.func @product
// CHECK-NOT:     scf.if
// CHECK:         mark: \22contract\22
// CHECK-NOT:     scf.if
// CHECK:         func.return
void product(int n, double A[n][n], double B[n][n], double C[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
}

// What is known needs no test.
// CHECK-LABEL: func.func @known
// CHECK-NOT:     scf.if
// CHECK:         mark: \22contract\22
// CHECK:         func.return
// MORE-LABEL:  func.func @known
// MORE-NOT:      scf.if
// MORE-NOT:      contract
// MORE:          func.return
void known(double A[100][100])
{
    for (int k = 0; k < 100; k++) {
        for (int i = k + 1; i < 100; i++)
            A[i][k] /= A[k][k];
        for (int i = k + 1; i < 100; i++)
            for (int j = k + 1; j < 100; j++)
                A[i][j] -= A[i][k] * A[k][j];
    }
}
