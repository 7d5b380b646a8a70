// At the edges: as many iterations as are unrolled and one more, none, and a window that is read from
// its end.
// RUN: polyopt-opt %s -p promote-scalars,clean-values,if-convert,unroll-windows | filecheck %s

#define N 64
extern float in[N + 10], out[N];

void nine(void)
{
    for (int x = 0; x < N; x++) {
        float s = 0;
        for (int i = 0; i < 9; i++)
            s += in[x + i];
        out[x] = s;
    }
}
// CHECK-LABEL: func.func @nine(
// CHECK-NOT:     memref.alloca
// CHECK-COUNT-9: arith.addf
// CHECK-NOT:     arith.addf
// CHECK:         func.return

void ten(void)
{
    for (int x = 0; x < N; x++) {
        float s = 0;
        for (int i = 0; i < 10; i++)
            s += in[x + i];
        out[x] = s;
    }
}
// CHECK-LABEL: func.func @ten(
// CHECK-COUNT-2: cf.cond_br
// CHECK-COUNT-1: arith.addf
// CHECK-NOT:     arith.addf
// CHECK:         func.return

void empty(void)
{
    for (int x = 0; x < N; x++) {
        float s = 0;
        for (int i = 0; i < 0; i++)
            s += in[x + i];
        out[x] = s;
    }
}
// CHECK-LABEL: func.func @empty(
// CHECK-COUNT-2: cf.cond_br
// CHECK:         func.return

void down(void)
{
    for (int x = 0; x < N; x++) {
        float s = 0;
        for (int i = 2; i >= 0; i--)
            s += in[x + i];
        out[x] = s;
    }
}
// CHECK-LABEL: func.func @down(
// The element furthest on is added first.
// CHECK:         %[[TWO:.*]] = arith.constant 2 : i32
// CHECK:         cf.cond_br
// CHECK:         arith.addi %{{.*}}, %[[TWO]]
// CHECK-COUNT-3: arith.addf
// CHECK-NOT:     arith.addf
// CHECK:         func.return

// As many times as the low half of an address says: nobody knows how many.
void low_half(void **place)
{
    int n = (int)(long)place[0];
    for (int i = 1; i < n; i++)
        out[i] = in[i];
}
// CHECK-LABEL: func.func @low_half(
// CHECK-COUNT-1: memref.store
// CHECK-NOT:     memref.store
// CHECK:         func.return
