// No copies where the counter starts as no number or as one that is large, goes on by something else,
// says nothing of the loops inside, leads no loop, or where a call may do anything.
// RUN: polyopt-opt %s -p promote-scalars,clean-values,peel-doublings | filecheck %s

void f(void);

// CHECK-LABEL: func.func @starts_anywhere(
// CHECK-COUNT-2: cf.cond_br
// CHECK-NOT:     cf.cond_br
// CHECK:         func.return
void starts_anywhere(int h, int n, int *a)
{
    for (; h < n; h *= 2)
        for (int i = 0; i < h; i++)
            a[i] += a[i + h];
}

// CHECK-LABEL: func.func @starts_late(
// CHECK-COUNT-2: cf.cond_br
// CHECK-NOT:     cf.cond_br
// CHECK:         func.return
void starts_late(int n, int *a)
{
    for (int h = 16; h < n; h *= 2)
        for (int i = 0; i < h; i++)
            a[i] += a[i + h];
}

// CHECK-LABEL: func.func @by_steps(
// CHECK-COUNT-2: cf.cond_br
// CHECK-NOT:     cf.cond_br
// CHECK:         func.return
void by_steps(int n, int *a)
{
    for (int h = 1; h < n; h += 2)
        for (int i = 0; i < h; i++)
            a[i] += a[i + h];
}

// CHECK-LABEL: func.func @from_zero(
// CHECK-COUNT-2: cf.cond_br
// CHECK-NOT:     cf.cond_br
// CHECK:         func.return
void from_zero(int n, int *a)
{
    for (int h = 0; h < n; h *= 2)
        for (int i = 0; i < h; i++)
            a[i] += a[i + h];
}

// CHECK-LABEL: func.func @says_nothing(
// CHECK-COUNT-2: cf.cond_br
// CHECK-NOT:     cf.cond_br
// CHECK:         func.return
void says_nothing(int n, int *a)
{
    for (int h = 1; h < n; h *= 2)
        for (int i = 0; i < n; i++)
            a[i] += h;
}

// CHECK-LABEL: func.func @leads_no_loop(
// CHECK-COUNT-1: cf.cond_br
// CHECK-NOT:     cf.cond_br
// CHECK:         func.return
void leads_no_loop(int n, int *a)
{
    for (int h = 1; h < n; h *= 2)
        a[h] += 1;
}

// CHECK-LABEL: func.func @calls(
// CHECK-COUNT-2: cf.cond_br
// CHECK-NOT:     cf.cond_br
// CHECK:         func.return
void calls(int n, int *a)
{
    for (int h = 1; h < n; h *= 2)
        for (int i = 0; i < h; i++) {
            f();
            a[i] += a[i + h];
        }
}
