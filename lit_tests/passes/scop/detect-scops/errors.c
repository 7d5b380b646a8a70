// RUN: polyopt-cc -O2 --emit=poly --remarks -o - %s 2>&1 | filecheck %s

// An exit for errors that the sizes decide on is an assumption, checked before; a promise that
// nothing is there needs no check.

void abort(void) __attribute__((noreturn));

void checked(int n, double *a)
{
    for (int i = 0; i < n; i++) {
        if (i >= 100)
            abort();
        a[i] = 1.0;
    }
}

void promised(int n, double *a)
{
    for (int i = 0; i < n; i++) {
        if (i >= 100)
            __builtin_unreachable();
        a[i] = 1.0;
    }
}

// CHECK: func.func @checked
// CHECK: poly.scop "checked"{{.*}}assumed <"[n] -> {  : n <= 100 }">
// CHECK: func.func @promised
// CHECK: poly.scop "promised"{{.*}}context <"[n] -> {  : n <= 100 }"> schedule
// CHECK: errors.c:10:{{.*}} 1 array, loops nested 1 deep, behind a run-time check
// CHECK: errors.c:19:{{.*}} 1 array, loops nested 1 deep [detect-scops]
