// At the edges: no bytes, one element, an object onto itself, a number of bytes that may be negative:
// all of these are loops whose range says how much is copied.
// RUN: polyopt-opt %s -p promote-scalars,clean-values,spread-copies | filecheck %s

#include <string.h>

void nothing(int n, double (*b)[16], double (*a)[16])
{
    for (int i = 0; i < n; i++) {
        memcpy(b[i], a[i], 0);
        b[i][0] = 1;
    }
}
// CHECK-LABEL: func.func @nothing(
// CHECK-NOT: func.call
// CHECK:     arith.cmpi slt, %k,
// CHECK:     func.return

void one(int n, double (*b)[16], double (*a)[16])
{
    for (int i = 0; i < n; i++)
        memcpy(b[i], a[i], sizeof(double));
}
// CHECK-LABEL: func.func @one(
// CHECK-NOT: func.call
// CHECK:     memref.load
// CHECK:     memref.store
// CHECK:     func.return

void itself(int n, double (*b)[16])
{
    for (int i = 0; i < n; i++)
        memcpy(b[i], b[i], sizeof b[i]);
}
// CHECK-LABEL: func.func @itself(
// CHECK-NOT: func.call
// CHECK:     memref.load
// CHECK:     memref.store
// CHECK:     func.return

void negative(int n, int m, double (*b)[16])
{
    for (int i = 0; i < n; i++)
        memset(b[i], 0, m * sizeof(double));
}
// CHECK-LABEL: func.func @negative(
// CHECK-NOT: func.call
// CHECK-NOT: memref.load
// CHECK:     memref.store
// CHECK:     func.return

// A few characters under a condition are one store to the compiler behind us; more than it moves at once are a loop.
int escaped(int n, const char *in, char *out)
{
    int o = 0;
    for (int i = 0; i < n; i++)
        if (in[i] == '<') {
            memcpy(out + o, "&lt;", 4);
            o += 4;
        } else
            out[o++] = in[i];
    return o;
}
// CHECK-LABEL: func.func @escaped(
// CHECK:     func.call @memcpy
// CHECK:     func.return

int blocks(int n, const char *in, char *out)
{
    int o = 0;
    for (int i = 0; i < n; i++)
        if (in[i] == '<') {
            memcpy(out + o, in + i, 24);
            o += 24;
        } else
            out[o++] = in[i];
    return o;
}
// CHECK-LABEL: func.func @blocks(
// CHECK-NOT: func.call @memcpy
// CHECK:     func.return
