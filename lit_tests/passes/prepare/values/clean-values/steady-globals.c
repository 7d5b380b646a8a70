// A size in a global variable that the function does not change is loaded once, at the entry; where a store
// or a call may change it, it is loaded each time.
// RUN: polyopt-cc -O3 --emit=source %s -o - | polyopt-opt -p promote-scalars,clean-values | filecheck %s

int n;
double a[100], b[100];
void other(void);

// CHECK-LABEL: func.func @steady
// CHECK:         cmem.address_of @n
// CHECK:         memref.load %{{[0-9]+}}[] : memref<i32>
// CHECK:       ^bb1
// CHECK-NOT:     memref<i32>
void steady(void)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i];
    for (int i = 0; i < n; i++)
        b[i] = 2 * a[i];
}

// CHECK-LABEL: func.func @changed
// CHECK:       ^bb1
// CHECK:         memref.load %{{[0-9]+}}[] : memref<i32>
// CHECK:         memref.load %{{[0-9]+}}[] : memref<i32>
void changed(int *p)
{
    for (int i = 0; i < n; i++)
        p[i] = i;
    for (int i = 0; i < n; i++)
        p[i] += i;
}

// CHECK-LABEL: func.func @called
// CHECK:       ^bb1
// CHECK:         memref.load %{{[0-9]+}}[] : memref<i32>
// CHECK:         memref.load %{{[0-9]+}}[] : memref<i32>
void called(void)
{
    for (int i = 0; i < n; i++)
        other();
    for (int i = 0; i < n; i++)
        a[i] = i;
}

// There may be no such variable: it is loaded where it is asked for first.
extern int perhaps __attribute__((weak));
// CHECK-LABEL: func.func @missing
// CHECK:       ^bb1
// CHECK:         memref.load %{{[0-9]+}}[] : memref<i32>
// CHECK:         memref.load %{{[0-9]+}}[] : memref<i32>
void missing(int *p)
{
    if (&perhaps) {
        for (int i = 0; i < perhaps; i++)
            p[i] = i;
        for (int i = 0; i < perhaps; i++)
            p[i] += 2;
    }
}
