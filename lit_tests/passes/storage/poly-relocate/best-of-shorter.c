// By lengths, the best split of an interval is no contraction: its operands vary with both ends. It goes
// where it ends all the same, among the elements that it is made of: no statement is left between the loops.
// Rows of another array in `b` have no place to go to.
// RUN: polyopt-opt %s -p promote-scalars,if-convert,structure-branches,detect-scops,poly-relocate | filecheck %s

void chain(int n, double m[100][100])
{
    for (int l = 1; l < n; l++)
        for (int i = 0; i + l < n; i++) {
            double b = 1e30;
            for (int k = i; k < i + l; k++) {
                double q = m[i][k] + m[k + 1][i + l];
                if (q < b)
                    b = q;
            }
            m[i][i + l] = b;
        }
}

// CHECK-LABEL: poly.scop "chain"
// CHECK:     poly.write %{{.*}}, %m{{.*}} <"{{.*}}S1[l, i, k] -> m[i, l + i]{{.*}}">
// CHECK-NOT: poly.{{read|write}} %b

void least(int n, double a[100][100], double m[100][100])
{
    for (int l = 1; l < n; l++)
        for (int i = 0; i + l < n; i++) {
            double b = 1e30;
            for (int k = i; k < i + l; k++)
                if (a[k + 1][i + l] < b)
                    b = a[k + 1][i + l];
            m[i][i + l] = b;
        }
}

// CHECK-LABEL: poly.scop "least"
// CHECK:     poly.write %{{.*}}, %b
