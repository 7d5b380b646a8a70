// A branch that its loops, or what was asked before, decide becomes a jump; the calls that it guards
// are gone. What may go either way stays.
// RUN: polyopt-opt %s -p 'promote-scalars,clean-values,drop-conditions' | filecheck %s

void never(void);
void sometimes(void);

void counted(int n, double *a)
{
    for (int i = 0; i < n; i++) {
        if (i > n)
            never();
        for (int k = i; k < n; k++) {
            if (k < i || k - i >= n)
                never();
            a[k] = i;
        }
    }
}
// CHECK-LABEL: func.func @counted(
// CHECK-NOT:     func.call
// CHECK:         func.return

void asked(int n, int m, double *a)
{
    for (int i = 0; i < n; i++)
        if (i < m) {
            if (i >= m + 2)
                never();
            if (i == m)
                never();
            a[i] = 0.0;
        }
}
// CHECK-LABEL: func.func @asked(
// CHECK-NOT:     func.call
// CHECK:         func.return

// An assertion that holds is no way out of the loop.
_Noreturn void fails(void);
void asserted(int n, double *a)
{
    for (int i = 0; i < n; i++) {
        if (!(i <= n))
            fails();
        a[i] = 0.0;
    }
}
// CHECK-LABEL: func.func @asserted(
// CHECK-NOT:     func.call
// CHECK:         func.return

void open(int n, int m, double *a)
{
    for (int i = 0; i < n; i++) {
        if (i == n - 1)
            sometimes();
        if (i < m)
            a[i] = 0.0;
        if (i < m + 1)
            sometimes();
    }
}
// CHECK-LABEL: func.func @open(
// CHECK-COUNT-2: func.call @sometimes
// CHECK:         func.return

// Unsigned: i - 1 wraps where i is 0, which it never is here; that is not known of u.
void wraps(unsigned n, unsigned u, double *a)
{
    for (unsigned i = n; i != 0; i--) {
        if (u - 1 >= n)
            sometimes();
        a[i] = 0.0;
    }
}
// CHECK-LABEL: func.func @wraps(
// CHECK:         func.call @sometimes

// What goes on in a loop has room in it: its first number is below its end.
void inside(int n, double *a)
{
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            if (i + 1 >= n)
                never();
            a[j] = i;
        }
}
// CHECK-LABEL: func.func @inside(
// CHECK-NOT:     func.call
// CHECK:         func.return

void inside_by_two(int n, double *a)
{
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            if (i + 2 >= n)
                sometimes();
            a[j] = i;
        }
}
// CHECK-LABEL: func.func @inside_by_two(
// CHECK:         func.call @sometimes
