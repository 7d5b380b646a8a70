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

// The header is 1, the branch 2 to 4, the join and latch 5.
// CHECK:      // f: 0: dominated by -, postdominated by 1
// CHECK-NEXT: // f: 1: dominated by 0, postdominated by 6
// CHECK-NEXT: // f: 2: dominated by 1, postdominated by 5
// CHECK-NEXT: // f: 3: dominated by 2, postdominated by 5
// CHECK-NEXT: // f: 4: dominated by 2, postdominated by 5
// CHECK-NEXT: // f: 5: dominated by 2, postdominated by 1
// CHECK-NEXT: // f: 6: dominated by 1, postdominated by -
// CHECK-NEXT: // f:  region 0 to 1
// CHECK-NEXT: // f:  region 1 to 6: loop s
// CHECK-NEXT: // f:    region 2 to 5
// CHECK-NEXT: // f:      region 3 to 5
// CHECK-NEXT: // f:      region 4 to 5
// CHECK-NEXT: // f:    region 5 to 1
// CHECK-NEXT: // f:  region 6 to -
