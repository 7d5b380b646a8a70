// Each kind of chain is printed as the notation of docs/passes.md says, and what is not known is
// not made up: a step that data decides on is an envelope, one that is loaded is not listed.
// RUN: polyopt-opt %s -p 'promote-scalars{all=true},clean-values,if-convert,print-evolution' | filecheck %s

void wrap_around(int n, double *A)
{
    int w = n;
    for (int i = 0; i < n; i++) {
        A[i] = A[w];
        w = i;
    }
}
// CHECK: // wrap_around:   w = (%n, {0, +, 1}<w>)<w>

void in_turns(int n, double *p, double *q)
{
    int t = 1, r = 0;
    for (int i = 0; i < n; i++) {
        *p = t;
        t = 1 - t;
        r = (r + 1) % 3;
        double *old = p;
        p = q;
        q = old;
    }
}
// CHECK-DAG: // in_turns:   t = {1 | 0}<p>
// CHECK-DAG: // in_turns:   r = {0 | 1 | 2}<p>
// CHECK-DAG: // in_turns:   p = {%p | %q}<p>
// CHECK-DAG: // in_turns:   q = {%q | %p}<p>

void powers(int n, unsigned u, double *A)
{
    for (int i = 1; i < n; i *= 2)
        A[i] = 1.0;
    for (int i = n; i >= 5; i /= 3)
        A[i] = 2.0;
    for (unsigned s = 1; s < 1000; s *= 3)
        A[s] = 3.0;
}
// CHECK:      // powers: loop i ({{.*}}): repeated ceil(log2(%n))
// CHECK-NEXT: // powers:   i = {1, *, 2}<i>
// CHECK:      // powers: loop i.2 ({{.*}}): repeated ceil(log3(floor((%n) / 5) + 1))
// CHECK-NEXT: // powers:   i = {%n, /, 3}<i.2>
// CHECK:      // powers: loop s ({{.*}}): repeated 7
// CHECK-NEXT: // powers:   s = u32({1, *, 3}<s>)

void decided(int n, const int *B, double *A)
{
    int x = 0, y = 0;
    for (int i = 0; i < n; i++) {
        if (B[i] > 0)
            x += 2;
        else
            x += 3;
        y += B[i];
        A[x] = y;
    }
}
// CHECK:      // decided: loop x ({{.*}}): repeated max(0, %n)
// CHECK-NEXT: // decided:   x = [{0, +, 2}, {0, +, 3}]<x>
// CHECK-NOT:  // decided:   y = {

void two_exits(int n, int m, double *A)
{
    for (int i = 0, j = 0; i < n; i++, j += 2) {
        A[i] = 0.0;
        if (j >= m)
            break;
    }
}
// CHECK:      // two_exits: loop i ({{.*}}): repeated min(max(0, %n), max(0, -floor((-%m) / 2)))
// CHECK-NEXT: // two_exits:   exit ({{.*}}): after max(0, %n)
// CHECK-NEXT: // two_exits:   exit ({{.*}}): after max(0, -floor((-%m) / 2))
