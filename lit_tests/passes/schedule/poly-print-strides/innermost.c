// The example of §7.2.2 in Grosser, Enabling polyhedral optimizations in LLVM, 2011: one array by rows, one that stays, one in steps
// of two. Then a loop in steps of three, and a column.
// RUN: polyopt-opt %s -p promote-scalars,simplify-loops,detect-scops,poly-print-strides | filecheck %s

void example(int n, double A[restrict 100], double B[restrict 100], double C[restrict 200])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[j] = B[i] + C[2 * j];
}

// CHECK:      // example:
// CHECK-NEXT: //   S0(c0, c1) along c1: B 0, C 2, A 1

void steps(int n, double A[restrict 100], double B[restrict 100][100])
{
    for (int i = 0; i < n; i += 3)
        A[i] = B[i][0];
}

// CHECK:      // steps:
// CHECK-NEXT: //   S0({{.*}}) along c0: B far, A 3
