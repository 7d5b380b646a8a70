// At the edges: one copy where the second number is large; two variables that double, of which the loop
// inside goes by one; shifts by more than an integer has bits; loops of which nothing is wanted behind.
// RUN: polyopt-opt %s -p promote-scalars,clean-values,peel-doublings | filecheck %s

// CHECK-LABEL: func.func @by_sixteen(
// CHECK-COUNT-4: cf.cond_br
// CHECK-NOT:     cf.cond_br
// CHECK:         func.return
void by_sixteen(int n, int *a)
{
    for (int h = 1; h < n; h <<= 4)
        for (int i = 0; i < h; i++)
            a[i] += a[i + h];
}

// CHECK-LABEL: func.func @two_of_them(
// CHECK-COUNT-8: cf.cond_br
// CHECK-NOT:     cf.cond_br
// CHECK:         func.return
int two_of_them(int n, int *a)
{
    int k = 100;
    for (int h = 1, m = 5; h < n; h *= 2, m *= 2, k++)
        for (int i = 0; i < h; i++)
            a[i] += m;
    return k;
}

// CHECK-LABEL: func.func @added_to_itself(
// CHECK-COUNT-8: cf.cond_br
// CHECK-NOT:     cf.cond_br
// CHECK:         func.return
void added_to_itself(unsigned long n, int *a)
{
    for (unsigned long h = 1; h < n; h = h + h)
        for (unsigned long i = 0; i < n; i += h)
            a[i] += a[i + h];
}

// CHECK-LABEL: func.func @shifted_away(
// CHECK-COUNT-2: cf.cond_br
// CHECK-NOT:     cf.cond_br
// CHECK:         func.return
void shifted_away(int n, int *a)
{
    for (int h = 1; h < n; h <<= 40)
        for (int i = 0; i < h; i++)
            a[i] += a[i + h];
}
