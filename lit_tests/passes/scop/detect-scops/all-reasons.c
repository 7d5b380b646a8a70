// RUN: polyopt-cc -O2 --emit=poly --remarks -o /dev/null %s 2>&1 | filecheck %s

// A loop is told all that stands against it, each reason once; what is inside a loop that never ends
// is told nothing else. In functions all of whose loops call what nobody knows only these calls are told, for
// nobody has looked any further. Arrays are called what the source calls them.

int printf(const char *, ...);
double outside(double);
int next(void);
struct table { double *from, *to; int n; };

int many(int n, volatile int *port, double *x, double **rows)
{
    for (int i = 0; i < n; i++) {
        port[0] = i;
        x[i] = outside(x[i]);
        rows[i][0] = outside(x[i + 1]);
        if (x[i] > 3)
            return i;
    }
    for (int i = 0; i < n; i++)
        x[i] = 0;
    return n;
}

void asked(double *x)
{
    while (next())
        x[0] += 1;
}

void forever(double *x, int *p)
{
    for (;;) {
        x[*p] += 1;
        printf("%g", *x);
    }
}

void members(struct table *t)
{
    for (int i = 0; i < t->n; i++)
        t->to[i] = t->from[i] * 2;
}

// CHECK: all-reasons.c:14:{{[0-9]+}}: missed: control may leave the function in the middle
// CHECK-NEXT: all-reasons.c:15:{{[0-9]+}}: missed: each access of a volatile object
// CHECK-NEXT: all-reasons.c:16:{{[0-9]+}}: missed: the call of outside may do anything
// CHECK-NEXT: all-reasons.c:17:{{[0-9]+}}: missed: the array's address changes while the loops run: it is read from rows
// CHECK-NEXT: all-reasons.c:18:{{[0-9]+}}: missed: the loop's condition depends on data
// CHECK-NEXT: all-reasons.c:21:{{[0-9]+}}: analysis: static control part
// CHECK-NEXT: all-reasons.c:28:{{[0-9]+}}: missed: the call of next may do anything
// CHECK-NEXT: all-reasons.c:36:{{[0-9]+}}: analysis: the loop never ends
// CHECK-NEXT: all-reasons.c:42:{{[0-9]+}}: analysis: static control part
// CHECK-NEXT: all-reasons.c:42:{{[0-9]+}}: analysis: behind a run-time check that 't->from' and 't->to' do not overlap: a function of their own with 'restrict' parameters promises it
