// Each classic test proves what it is there for, and says so; what none of them proves is taken for
// dependent, with the distances or directions that are left.
// RUN: polyopt-cc -O2 --emit=poly -o - %s | polyopt-opt -p print-dependence-tests | filecheck %s

extern double A[1000], B[100][100], C[1000], D[1000], E[2000], F[1000];

void f(int n, int k)
{
    for (int i = 0; i < 100; i++) {
        A[2 * i] = A[2 * i + 5];
        B[i][i + 1] = B[i + 1][i];
        C[500] = C[501];
        D[i + 7] = D[i];
        F[i + k] = F[i + k + 3];
    }
    for (int i = 0; i < 100; i++)
        for (int j = 0; j < 100; j++) {
            E[4 * i + 2 * j] = E[2 * i + 4 * j + 1];
            E[i + j] = E[i + j + 400];
        }
}

// Odd and even elements.
// CHECK-DAG: // f: A read in S0 and A written in S0, siv: independent (siv)
// The two subscripts ask for different distances.
// CHECK-DAG: // f: B read in S1 and B written in S1, siv, siv: independent (coupled)
// CHECK-DAG: // f: C read in S2 and C written in S2, ziv: independent (ziv)
// CHECK-DAG: // f: C written in S2 and C written in S2, ziv: dependent, by (1..99) or (0) or (-99..-1)
// What is written in iteration t is read in iteration t + 7.
// CHECK-DAG: // f: D read in S3 and D written in S3, siv: dependent, by (-7); i: {7, +, 1} and {0, +, 1}
// CHECK-DAG: // f: F read in S4 and F written in S4, siv: unknown, by (3); i: {0, +, 1} and {3, +, 1}
// CHECK-DAG: // f: E read in S5 and E written in S5, miv: independent (gcd)
// 0 to 198 and 400 to 598.
// CHECK-DAG: // f: E read in S6 and E written in S6, miv: independent (banerjee)
