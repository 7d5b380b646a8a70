// The greatest value in `m` ends in T[i][j]. So does the one that comes in front of the condition, in
// another variable by then: each statement updates T[i][j], and none only copies it.
// RUN: polyopt-opt %s -p promote-scalars,if-convert,drop-conditions,structure-branches,detect-scops,poly-relocate | filecheck %s

#define MAX(a, b) ((a) > (b) ? (a) : (b))

void folds(int n, int T[100][100], const int s[100])
{
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            int m = MAX(T[i][j], T[i][j - 1]);
            int p = T[i + 1][j - 1] + ((i < j - 1 && s[i] == s[j]) ? 1 : 0);
            m = MAX(m, p);
            for (int k = i + 1; k < j; k++)
                m = MAX(m, T[i][k] + T[k + 1][j]);
            T[i][j] = m;
        }
}

// CHECK:      poly.stmt "S0"
// CHECK:        poly.write %{{.*}}, %T{{.*}} <"{{.*}}S0[i, j] -> T[i, j] }">
// CHECK:      poly.stmt "[[P:S[0-9]+]]" {{.*}}[i, j]
// CHECK:      poly.stmt "[[K:S[0-9]+]]" {{.*}}[i, j, k]
// CHECK-DAG:    poly.read %T{{.*}} <"{{.*}}[i, j, k] -> T[i, j] }">
// CHECK-DAG:    poly.write %{{.*}}, %T{{.*}} <"{{.*}}[i, j, k] -> T[i, j] }">
// CHECK-NOT:  poly.stmt
// CHECK:      cf.br

// RUN: polyopt-cc -O3 -ffast-math -march=x86-64-v4 --skip-pass=keep-what-pays --remarks -c -o %t.o %s 2>&1 | filecheck %s --check-prefix=DIAGONAL

// Sums of elimination that end on the diagonal are no rows: only those beside it move.

void cholesky(int n, double A[500][500])
{
    for (int j = 0; j < n; j++) {
        double s = A[j][j];
        for (int k = 0; k < j; k++)
            s -= A[j][k] * A[j][k];
        A[j][j] = __builtin_sqrt(s);
        for (int i = j + 1; i < n; i++) {
            double t = A[i][j];
            for (int k = 0; k < j; k++)
                t -= A[i][k] * A[j][k];
            A[i][j] = t / A[j][j];
        }
    }
}

// DIAGONAL-NOT: the values of s are kept in A
