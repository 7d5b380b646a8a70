// At the edges: no pointers change places, two do, and four, which are back after more iterations than
// a loop is unrolled for.
// RUN: polyopt-opt %s -p promote-scalars,clean-values,unroll-turns | filecheck %s

void none(int n, double *a, double *b)
{
    for (int t = 0; t < n; t++)
        for (int i = 1; i < 9; i++)
            b[i] = a[i - 1];
}
// CHECK-LABEL: func.func @none(
// CHECK-COUNT-2: cf.cond_br
// CHECK-NOT:     cf.cond_br
// CHECK:         func.return

void two(int n, double *a, double *b)
{
    for (int t = 0; t < n; t++) {
        for (int i = 1; i < 9; i++)
            b[i] = a[i - 1];
        double *c = a;
        a = b;
        b = c;
    }
}
// CHECK-LABEL: func.func @two(
// Both copies begin with the test of the outer loop.
// CHECK-COUNT-4: cf.cond_br
// CHECK-NOT:     cf.cond_br
// CHECK:         func.return

void four(int n, double *a, double *b, double *c, double *d)
{
    for (int t = 0; t < n; t++) {
        for (int i = 1; i < 9; i++)
            b[i] = a[i - 1];
        double *e = a;
        a = b;
        b = c;
        c = d;
        d = e;
    }
}
// CHECK-LABEL: func.func @four(
// CHECK-COUNT-2: cf.cond_br
// CHECK-NOT:     cf.cond_br
// CHECK:         cf.br ^{{.*}}(%b_1, %c_1, %d_1, %a_1,
// CHECK:         func.return
