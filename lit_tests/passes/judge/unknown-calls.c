// RUN: polyopt-cc -O3 --emit=prepared -o - %s | filecheck %s
// RUN: polyopt-cc -O3 --emit=loops --remarks -o /dev/null %s 2>&1 | filecheck %s --check-prefix=TOLD

// Functions all of whose innermost loops call what nobody knows, whenever data want it, are left as
// they were written: nothing is prepared in them, and no copy is kept. Of each loop it is told why.

struct out { char *at, *end; int (*flush)(struct out *); };
int unknown(struct out *o);
extern int level;

// CHECK: func.func @put({{.*}}poly.far_from_loops
// TOLD-DAG: unknown-calls.c:{{.*}}: missed: a function is called by a pointer, and may do anything
int put(struct out *o, const char *s, const char *e)
{
    while (s != e) {
        if (o->at == o->end && !o->flush(o))
            return 0;
        *o->at++ = *s++;
    }
    return 1;
}

static int forward(struct out *o) { return o->at == o->end ? unknown(o) : 0; }

// CHECK: func.func @through({{.*}}poly.far_from_loops
// TOLD-DAG: unknown-calls.c:{{.*}}: missed: the call of forward may do anything
int through(struct out *o, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += forward(o);
    return sum;
}

// A condition that constants may decide, a call that other code may take the place of, and a call
// that does not come back are no such calls.
static int is_traced = 0;

// CHECK-NOT: @traced({{.*}}poly.far_from_loops
void traced(struct out *o, double *a, int n)
{
    for (int i = 0; i < n; i++) {
        if (is_traced)
            unknown(o);
        a[i] = i;
    }
}

static double twice(double x) { return 2 * x; }

// CHECK-NOT: @known({{.*}}poly.far_from_loops
void known(double *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = twice(a[i]);
}

_Noreturn void failed(void);

// CHECK-NOT: @checked({{.*}}poly.far_from_loops
void checked(double *a, int *b, int n)
{
    for (int i = 0; i < n; i++) {
        if (b[i] < 0)
            failed();
        a[i] = b[i];
    }
}

// CHECK-NOT: @both({{.*}}poly.far_from_loops
void both(struct out *o, double *a, int n)
{
    for (int i = 0; i < n; i++)
        unknown(o);
    for (int i = 0; i < n; i++)
        a[i] = i;
}

// CHECK: builtin.module attributes {poly.as_written}
