// A loop that a floating-point variable leads is left by a comparison of integers. The variable is a
// function of the counter where no sum is rounded (0.125), and is added to where some are (0.1).
// RUN: polyopt-opt %s -p 'promote-scalars,count-float-loops,clean-values' | filecheck %s

void exact(double *a)
{
    int i = 0;
    for (double x = 0.0; x < 1.0; x += 0.125)
        a[i++] = x;
}
// CHECK-LABEL: func.func @exact(
// CHECK:         [[COUNT:%.*]] = arith.constant 8 : i32
// CHECK-NEXT:    [[TEST:%.*]] = arith.cmpi slt, [[K:%[a-z0-9_]+]], [[COUNT]] : i32
// CHECK-NEXT:    cf.cond_br [[TEST]],
// CHECK-NOT:     arith.addf
// CHECK:         func.return

void rounded(double *a)
{
    int i = 0;
    for (double x = 0.0; x < 1.0; x += 0.1)
        a[i++] = x;
}
// Ten sums of 0.1 are a little less than 1.
// CHECK-LABEL: func.func @rounded(
// CHECK:         [[COUNT:%.*]] = arith.constant 11 : i32
// CHECK-NEXT:    arith.cmpi slt, %{{[a-z0-9_]+}}, [[COUNT]] : i32
// CHECK:         arith.addf

void by_data(double *a, double end)
{
    for (double x = 0.0; x < end; x += 0.125)
        *a = x;
}
// CHECK-LABEL: func.func @by_data(
// CHECK:         arith.cmpf olt
