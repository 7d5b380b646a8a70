// A static function of many lines stays one where it is called once, or thrice: what it takes to call it
// is nothing to what it does, and LLVM takes longer for one function than for two. Others know `shown`.
// RUN: polyopt-cc -O3 -march=x86-64-v3 --emit=llvm %s | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v3 -S -emit-llvm -o - %s | filecheck %s --check-prefix MADE

// CHECK-DAG: define internal void @product({{.*}} noinline {
// CHECK-DAG: define internal double @small({{[^)]*}}) #{{[0-9]+}} {
// CHECK-DAG: define {{[^i].*}}@shown({{[^)]*}}) #{{[0-9]+}} {

// MADE: call {{.*}}@product(
// MADE-NOT: @small
double A[300][300], B[300][300], C[300][300];

static void product(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
}

static double small(int n)
{
    return A[n][n] + B[n][n];
}

double shown(int n)
{
    product(n);
    return small(n);
}
