// Places that are not the greatest of those where something held, or of which more is asked.
// RUN: polyopt-opt %s -p 'promote-scalars,clean-values,if-convert' | filecheck %s
// CHECK-NOT:     arith.max

// The condition asks for what was stored.
int depends(int n, const int *x, int f)
{
    for (int i = 0; i < n; i++)
        if (x[i] > f)
            f = i;
    return f;
}

// A search for the best value; its place is the search's.
int best(int n, const float *x, float m)
{
    int f = -1;
    for (int i = 0; i < n; i++)
        if (x[i] >= m) {
            m = x[i];
            f = i;
        }
    return f;
}

// The place is read in each iteration.
int read(int n, const int *x, int *y)
{
    int f = -1;
    for (int i = 0; i < n; i++) {
        y[i] = f;
        if (x[i] > 0)
            f = i;
    }
    return f;
}

int read_behind(int n, const int *x, int *y)
{
    int f = -1;
    for (int i = 0; i < n; i++) {
        if (x[i] > 0)
            f = i;
        y[i] = f;
    }
    return f;
}

// A flag.
int flag(int n, const int *x)
{
    int f = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            f = 1;
    return f;
}

// A counter that falls, and one that may wrap around.
int falls(int n, const int *x, int f)
{
    for (int i = n - 1; i >= 0; i--)
        if (x[i] > 0)
            f = i;
    return f;
}

unsigned wraps(unsigned lo, unsigned n, const int *x, unsigned f)
{
    for (unsigned i = lo; i != n; i++)
        if (x[i & 7] > 0)
            f = i;
    return f;
}

unsigned up_to(unsigned n, const int *x, unsigned f)
{
    for (unsigned i = 0; i <= n; i++)
        if (x[i & 7] > 0)
            f = i;
    return f;
}

// Another element, not the counter.
int element(int n, const int *x, int f)
{
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            f = x[i];
    return f;
}

// A sum that is added up in order holds the iterations up anyway.
double in_order(int n, const double *x, int *at)
{
    double s = 0;
    int f = -1;
    for (int i = 0; i < n; i++)
        if (x[i] > 0) {
            s += x[i];
            f = i;
        }
    *at = f;
    return s;
}

// Alone, from a number on: LLVM finds it.
int alone(int n, const double *x, double t, int f)
{
    for (int i = 0; i < n; i++)
        if (x[i] > t)
            f = i;
    return f;
}
