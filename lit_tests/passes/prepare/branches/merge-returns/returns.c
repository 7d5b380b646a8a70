// RUN: polyopt-opt %s -p promote-scalars,clean-values,merge-returns | filecheck %s

// The returns that a nest leads to, early and in the end, are one; other returns stay, and so do
// those of a loop that data end.

int early(int n, int m, double *a)
{
    if (n < 4)
        return 3;
    for (int i = 0; i < n; i++) {
        if (i > m)
            return 1;
        a[i] = 0;
    }
    return 0;
}

// CHECK-LABEL: func.func @early
// CHECK: func.return %{{.*}} : i32
// CHECK: cf.br ^bb8(%{{.*}} : i32)
// CHECK: cf.br ^bb8(%{{.*}} : i32)
// CHECK: ^bb8(%[[R:[^:]*]]: i32):
// CHECK-NEXT: func.return %[[R]] : i32

int search(int n, const double *a)
{
    for (int i = 0; i < n; i++)
        if (a[i] == 1)
            return i;
    return -1;
}

// CHECK-LABEL: func.func @search
// CHECK-COUNT-2: func.return

int branches(int n)
{
    if (n > 3)
        return 1;
    return 0;
}

// CHECK-LABEL: func.func @branches
// CHECK-COUNT-2: func.return
