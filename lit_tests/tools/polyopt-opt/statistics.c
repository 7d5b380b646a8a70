// --statistics says how many static control parts there were, and what the passes said of them.
// RUN: polyopt-opt %s -p 'promote-scalars,clean-values,simplify-loops,detect-scops' --statistics -o %t 2>&1 | filecheck %s
// CHECK:      1 static control parts
// CHECK:      applied missed analysis
// CHECK-NEXT: 0 0 1 detect-scops
void fill(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = 0;
}
