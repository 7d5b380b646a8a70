// What the module passes for a parameter is what is expected of it, here what a global variable begins with, the
// greatest of all calls; not where one of them passes what nobody knows, or the variable is written.
//
// RUN: polyopt-cc -O3 --print-after=poly-weigh -c -o /dev/null %s 2>&1 | grep poly.pays | filecheck %s

double a[1000], b[1000];
int steps = 20, more = 30, changed = 40;

// CHECK: poly.pays "begun" {{.*}}expected = array<i64: 30>
void begun(int n) { for (int i = 0; i < n; i++) a[i] = 3 * b[i]; }

// CHECK: poly.pays "written" {{.*}}expected = array<i64: 1000>
void written(int n) { for (int i = 0; i < n; i++) a[i] = 4 * b[i]; }

// CHECK: poly.pays "unknown" {{.*}}expected = array<i64: 1000>
void unknown(int n) { for (int i = 0; i < n; i++) a[i] = 5 * b[i]; }

// CHECK: poly.pays "inner" {{.*}}expected = array<i64: 20>
static void inner(int n) { for (int i = 0; i < n; i++) a[i] = 6 * b[i] / a[i]; }
void through(int n) { inner(n); inner(n); }

void run(int n) {
    begun(steps);
    begun(more);
    written(changed);
    unknown(steps);
    unknown(n);
    through(steps);
}

void set(int n) { changed = n; }
