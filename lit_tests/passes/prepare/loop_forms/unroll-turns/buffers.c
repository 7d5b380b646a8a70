// Two buffers that change places: after two iterations each pointer is back, so that the loop needs
// no argument for them, and each access goes to one array. A pointer that moves as well stays.
// RUN: polyopt-opt %s -p 'promote-scalars,clean-values,unroll-turns' | filecheck %s

void buffers(double *p, double *q, int n, int steps)
{
    for (int s = 0; s < steps; s++) {
        for (int i = 1; i < n; i++)
            q[i] = p[i - 1];
        double *old = p;
        p = q;
        q = old;
    }
}
// CHECK-LABEL: func.func @buffers(
// CHECK:         cf.br ^[[HEAD:bb[0-9]+]](%{{[a-z0-9_]+}} : i32)
// Two time steps, each with its test and its loop.
// CHECK-COUNT-4: arith.cmpi slt
// CHECK:         func.return

void moves(double *p, double *q, int n, int steps)
{
    for (int s = 0; s < steps; s++) {
        for (int i = 1; i < n; i++)
            q[i] = p[i - 1];
        double *old = p;
        p = q;
        q = old + 1;
    }
}
// CHECK-LABEL: func.func @moves(
// CHECK-COUNT-2: arith.cmpi slt
// CHECK-NOT:     arith.cmpi slt
// CHECK:         func.return
