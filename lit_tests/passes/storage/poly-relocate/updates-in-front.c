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
