// RUN: polyopt-cc -O2 --emit=poly -o - %s | filecheck %s

// Nests that follow each other are one static control part; a call in between makes two.

void observe(double *);

// CHECK-LABEL: func.func @together
// CHECK:         poly.scop "together"
// CHECK-NOT:     poly.scop
void together(int n, double *a)
{
    for (int i = 0; i < n; i++)
        a[i] = 1.0;
    a[n] = 2.0;
    if (n > 5)
        for (int i = 0; i < n; i++)
            a[i] += a[n];
}

// CHECK-LABEL: func.func @apart
// CHECK:         poly.scop "apart"
// CHECK:         func.call @observe
// CHECK:         poly.scop "apart_1"
void apart(int n, double *a)
{
    for (int i = 0; i < n; i++)
        a[i] = 1.0;
    observe(a);
    for (int i = 0; i < n; i++)
        a[i] += 2.0;
}

// The inner loop is one where the outer one cannot be.
// CHECK-LABEL: func.func @inside
// CHECK:         poly.scop "inside" params(%{{.*}}, %{{.*}}) ["n", "i"]
// CHECK:         func.call @observe
void inside(int n, double A[n][n])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            A[i][j] = 1.0;
        observe(A[i]);
    }
}

// What is known after the loop is a maximum.
// CHECK-LABEL: func.func @afterwards
// CHECK:         poly.scop "afterwards"
// CHECK:         %[[LAST:.*]] = arith.maxsi
// CHECK:         func.return
int afterwards(int n, double *a)
{
    int i;
    for (i = 0; i < n; i++)
        a[i] = 1.0;
    return i;
}
