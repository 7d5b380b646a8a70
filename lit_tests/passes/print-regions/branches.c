// Each block with its dominators, and the regions that a loop with a branch is composed of.
// RUN: polyopt-opt %s -p 'promote-scalars{all=true},print-regions' | filecheck %s

int f(int n, const int *A)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        if (A[i] > 0)
            s += A[i];
        else
            s -= 1;
    return s;
}

// CHECK:      // f: 0: dominated by -, postdominated by 1
// CHECK-NEXT: // f: 1: dominated by 0, postdominated by [[EXIT:[0-9]+]]
// CHECK:      // f: region 0 to 1
// CHECK-NEXT: // f: region 1 to [[EXIT]]: loop
// The branch and its join.
// CHECK-NEXT: // f:   region 2 to 5
// CHECK-NEXT: // f:     region 3 to 5
// CHECK-NEXT: // f:     region 4 to 5
// CHECK-NEXT: // f:   region 5 to 1
