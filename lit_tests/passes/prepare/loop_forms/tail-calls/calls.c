// A call whose result is returned at once becomes a jump; one that something is done after does not,
// nor one in whose function an address of a local variable is passed on.
// RUN: polyopt-opt %s -p 'tail-calls' | filecheck %s

double sum(const double *a, int n, double total)
{
    if (n == 0)
        return total;
    return sum(a + 1, n - 1, total + a[0]);
}
// CHECK-LABEL: func.func @sum(%a: !llvm.ptr, %n: i32, %total: f64)
// CHECK-NEXT:    cf.br ^[[START:bb[0-9]+]](%a, %n, %total : !llvm.ptr, i32, f64)
// CHECK-NEXT:  ^[[START]](%{{.*}}: !llvm.ptr, %{{.*}}: i32, %{{.*}}: f64):
// CHECK-NOT:     func.call
// CHECK:         cf.br ^[[START]](%{{.*}}, %{{.*}}, %{{.*}} : !llvm.ptr, i32, f64)

double product(const double *a, int n)
{
    if (n == 0)
        return 1.0;
    return a[0] * product(a + 1, n - 1);
}
// CHECK-LABEL: func.func @product(
// CHECK:         func.call @product(

int last(int n, const int *before)
{
    int own = n + *before;
    if (n == 0)
        return own;
    return last(n - 1, &own);
}
// CHECK-LABEL: func.func @last(
// CHECK:         func.call @last(
