// The caller of `last` gets what is left in `w`: its values stay where they are.
// RUN: polyopt-opt %s -p promote-scalars,detect-scops,poly-relocate | filecheck %s

double last(int n, double A[100][100])
{
    double w = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            w = A[i][j];
            for (int k = 0; k < j; k++)
                w -= A[i][k] * A[k][j];
            A[i][j] = w;
        }
    return w;
}

// CHECK:     poly.stmt "S1"
// CHECK-DAG:   poly.read %w
// CHECK-DAG:   poly.write %{{.*}}, %w
