// The loops of D. Berlin, D. Edelsohn, S. Pop, "High-Level Loop Optimizations for GCC" (GCC
// Summit 2004): figures 1 and 3, and the two worked examples, figures 5 and 6. The second one prints
// 14 for 13 there: t is 0 when it is first compared with 9, so that j has grown by 9, not by 10.
// RUN: polyopt-opt %s -p 'promote-scalars{all=true},clean-values,print-evolution' | filecheck %s

int fig1(int n)
{
    int r1 = 0, r2 = 1;
    for (; n > 0; n--) {
        r1 += r2;
        r2 *= 2;
    }
    return r1;
}
// CHECK:      // fig1: loop n ({{.*}}figures.c:9): repeated max(0, %n)
// CHECK-NEXT: // fig1:   n = {%n, +, -1}<n>
// CHECK-NEXT: // fig1:   r1 = {0, +, {1, *, 2}<n>}<n>
// CHECK-NEXT: // fig1:   r2 = {1, *, 2}<n>
// CHECK:      // fig1:   r1 left with 2**(max(0, %n)) - 1

int fig3(int n, int m)
{
    int r4 = 9, r5 = 8, r6 = 7;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            r6 += r5;
        r5 += r4;
    }
    return r6;
}
// CHECK:      // fig3: loop r5 ({{.*}}): repeated max(0, %n)
// CHECK-NEXT: // fig3:   r5 = {8, +, 9}<r5>
// Over the outer loop alone, r6 is quadratic: the inner one adds m times what is itself growing.
// CHECK-NEXT: // fig3:   r6 = {7, +, 8 * max(0, %m), +, 9 * max(0, %m)}<r5>
// CHECK:      // fig3: loop r6 ({{.*}}): repeated max(0, %m)
// CHECK-NEXT: // fig3:   r6 = {{[{][{]}}7, {{.*}}<r5>, +, {8, +, 9}<r5>}<r6>

int fig5(void)
{
    int a = 3, b = 1, c = a, d = b, e, f, g;
    for (;;) {
        if (d >= 123)
            break;
        e = d + 7;
        f = e + c;
        g = d + 5;
        c = f;
        d = g;
    }
    return c;
}
// CHECK:      // fig5: loop c ({{.*}}): repeated 25
// CHECK-NEXT: // fig5:   c = {3, +, 8, +, 5}<c>
// CHECK-NEXT: // fig5:   d = {1, +, 5}<c>
// CHECK-NEXT: // fig5:   e = {8, +, 5}<c>
// 3 + 25 * 8 + (25 * 24 / 2) * 5
// CHECK:      // fig5:   c left with 1703

int fig6(void)
{
    int h = 3, i = h, j, k, t, x;
    do {
        j = i;
        for (;;) {
            k = j + 1;
            t = j - i;
            if (t >= 9)
                break;
            j = k;
        }
        x = k + 3;
        i = x;
    } while (x < 123);
    return x;
}
// CHECK:      // fig6: loop i ({{.*}}): repeated 9
// CHECK-NEXT: // fig6:   i = {3, +, 13}<i>
// CHECK-NEXT: // fig6:   x = {16, +, 13}<i>
// CHECK:      // fig6: loop j ({{.*}}): repeated 9
// CHECK-NEXT: // fig6:   j = {{[{][{]}}3, +, 13}<i>, +, 1}<j>
// CHECK-NEXT: // fig6:   k = {{[{][{]}}4, +, 13}<i>, +, 1}<j>
// CHECK-NEXT: // fig6:   t = {0, +, 1}<j>
// CHECK-NEXT: // fig6:   j left with {12, +, 13}<i>
