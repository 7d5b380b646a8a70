// RUN: polyopt-cc -O2 --emit=poly -o - %s | filecheck %s

// The same loop however it is written: by meaning, not by syntax. An iterator that counts by one
// is the C variable, also downwards (the schedule is then negative); other steps count from 0.

// CHECK-LABEL: func.func @while_loop
// CHECK:         domain <"[n] -> { S0[i] : 0 <= i < n }">
// CHECK:         poly.write {{.*}} <"[n] -> { S0[i] -> a[i] }">
void while_loop(int n, double *a)
{
    int i = 0;
    while (i < n) {
        a[i] = 1.0;
        i++;
    }
}

// CHECK-LABEL: func.func @goto_loop
// CHECK:         domain <"[n] -> { S0[i] : 0 <= i < n; S0[i = 0] : n <= 0 }">
void goto_loop(int n, double *a)
{
    int i = 0;
again:
    a[i] = 1.0;
    i++;
    if (i < n)
        goto again;
}

// CHECK-LABEL: func.func @guarded_do_loop
// CHECK:         domain <"[n] -> { S0[i] : 0 <= i < n }">
void guarded_do_loop(int n, double *a)
{
    if (n > 0) {
        int i = 0;
        do
            a[i] = 1.0;
        while (++i < n);
    }
}

// CHECK-LABEL: func.func @downwards
// CHECK:         schedule: {{.*}}[{ S0[i] -> [(-i)] }]
// CHECK:         domain <"[n] -> { S0[i] : 0 <= i < n }">
// CHECK:         poly.write {{.*}} <"[n] -> { S0[i] -> a[i] }">
void downwards(int n, double *a)
{
    for (int i = n - 1; i >= 0; i--)
        a[i] = 1.0;
}

// CHECK-LABEL: func.func @by_three
// CHECK:         domain <"[n] -> { S0[i] : i >= 0 and 3i <= -3 + n }">
// CHECK:         poly.write {{.*}} <"[n] -> { S0[i] -> a[2 + 3i] }">
void by_three(int n, double *a)
{
    for (int i = 2; i < n; i += 3)
        a[i] = 1.0;
}

// CHECK-LABEL: func.func @pointer_walk
// CHECK:         context <"[n] -> {  : n >= 0 }">
// CHECK:         domain <"[n] -> { S0[p] : 0 <= p < n }">
// CHECK:         poly.write {{.*}} <"[n] -> { S0[p] -> a[p] }">
void pointer_walk(int n, double *a)
{
    for (double *p = a; p != a + n; p++)
        *p = 1.0;
}

// CHECK-LABEL: func.func @unsigned_loop
// CHECK-NOT:     cf.cond_br
// CHECK:         %[[N:.*]] = arith.extui %n
// CHECK:         domain <"[n] -> { S0[i] : 0 <= i < n }">
void unsigned_loop(unsigned n, double *a)
{
    for (unsigned i = 0; i < n; i++)
        a[i] = 1.0;
}
