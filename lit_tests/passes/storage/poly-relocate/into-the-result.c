// The sum in `w` ends in A[i][j], which nobody needs before: it is accumulated there, and the loops
// are those of a product. What only copied A[i][j] to `w` is gone.
// RUN: polyopt-opt %s -p promote-scalars,detect-scops,poly-relocate | filecheck %s

void eliminate(int n, double A[100][100])
{
    double w;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            w = A[i][j];
            for (int k = 0; k < j; k++)
                w -= A[i][k] * A[k][j];
            A[i][j] = w / A[j][j];
        }
}

// CHECK-NOT: poly.stmt "S0"
// CHECK:     poly.stmt "S1"
// CHECK-DAG:   poly.read %A{{.*}} <"{{.*}}S1[i, j, k] -> A[i, j]{{.*}}">
// CHECK-DAG:   poly.write %{{.*}}, %A{{.*}} <"{{.*}}S1[i, j, k] -> A[i, j]{{.*}}">
// CHECK:     poly.stmt "S2"
// CHECK:       poly.read %A{{.*}} <"{{.*}}S2[i, j] -> A[i, j]{{.*}}">
// CHECK-NOT: poly.{{read|write}} %w
