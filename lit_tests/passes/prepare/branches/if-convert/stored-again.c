// What has just been stored to an element may be stored again, so that a second store under a
// condition is a choice, and the first one goes; so do stores and loads of one element in an arm.
// RUN: polyopt-opt %s -p 'promote-scalars{all=true},clean-values,if-convert' | filecheck %s

// CHECK-LABEL: func.func @clamped(
// CHECK-NOT:     cf.cond_br
// CHECK:         arith.select
// CHECK:         memref.store
// CHECK-NOT:     memref.store
// CHECK:         func.return
void clamped(float *x, float a)
{
    *x = a * 3;
    if (*x < 0)
        *x += 2;
}

// CHECK-LABEL: func.func @both(
// CHECK-NOT:     cf.cond_br
// CHECK-NOT:     memref.load
// CHECK:         arith.select
// CHECK:         memref.store
// CHECK-NOT:     memref.store
// CHECK:         func.return
void both(float *x, float a)
{
    if (a <= 0) {
        *x = 0;
    } else {
        *x = a + 1;
        *x *= 2;
    }
}

// Another pointer may lead there: what is read through it is what was stored.
// CHECK-LABEL: func.func @other(
// CHECK:         memref.store
// CHECK:         [[Y:%.*]] = memref.load
// CHECK:         arith.select
// CHECK:         memref.store
void other(float *x, float *y, float a)
{
    *x = a;
    float b = *y;
    if (b < 0)
        *x = b;
}

// And what is stored through it may be what the first one has stored.
// CHECK-LABEL: func.func @over(
// CHECK:         memref.store
// CHECK:         memref.store
// CHECK:         cf.cond_br
// CHECK:         memref.store
void over(float *x, float *y, float a)
{
    *x = a;
    *y = 1;
    if (a < 0)
        *x = 2;
}

// Neighbours are no such place, whichever way their addresses are written.
// CHECK-LABEL: func.func @two(
// CHECK-NOT:     cf.cond_br
// CHECK:         memref.store
// CHECK:         memref.store
// CHECK-NOT:     memref.store
// CHECK:         func.return
void two(float *x, int i, float a, float b)
{
    float *o = x + 2 * i, *p = o + 1;
    *o = a;
    *p = b;
    if (a > 1) {
        *p = b / a;
        *o = 1;
    } else {
        *o = 2 * *o;
    }
}

// An element of another width may be a part of it.
// CHECK-LABEL: func.func @wider(
// CHECK:         memref.store
// CHECK:         memref.store
// CHECK:         cf.cond_br
void wider(char *x, float a)
{
    float *o = (float *)x;
    double *p = (double *)(x - 4);
    *o = a;
    *p = 1;
    if (a > 1)
        *o = 2;
}
