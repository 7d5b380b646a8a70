// A counter in memory is a variable in the loop that it leads; it is written back where it has changed,
// or without asking where it was written before.
// RUN: polyopt-opt %s -p 'promote-scalars,promote-places' | filecheck %s

void known(int n, double *a, int *at)
{
    for (*at = 0; *at < n; ++*at)
        a[*at] = 0.0;
}
// CHECK-LABEL: func.func @known(
// CHECK:         memref.store
// CHECK:       ^bb2(%at_4: i32):
// CHECK-NOT:     memref.load
// CHECK:         memref.store %at_4, %at_3[] : memref<i32>
// CHECK-NEXT:    cf.br
// CHECK:         func.return

void unknown(int n, double *a, int *at)
{
    for (; *at < n; ++*at)
        a[*at] = 0.0;
}
// CHECK-LABEL: func.func @unknown(
// CHECK:         %at_3 = memref.load %at_2[] : memref<i32>
// CHECK:       ^bb2(%at_4: i32):
// CHECK-NOT:     memref.load
// CHECK:         %4 = arith.cmpi ne, %at_4, %at_3 : i32
// CHECK-NEXT:    cf.cond_br %4
// CHECK:         memref.store %at_4, %at_2[] : memref<i32>

// Characters may be any byte, a call may do anything, and what is not read first may not be there.
void any(void);
void refused(int n, char *a, double *b, int *at, int *other)
{
    for (*at = 0; *at < n; ++*at)
        a[*at] = 0;
    for (*at = 0; *at < n; ++*at)
        any();
    for (int i = 0; i < n; i++)
        b[(*at)++] = 0.0;
    for (*at = 0; *at < n; ++*at)
        *other = 3;
}
// CHECK-LABEL: func.func @refused(
// CHECK:         memref.load %at_1[]
// CHECK:         func.call @any()
// CHECK:         memref.load %at_1[]
// CHECK-NOT:     arith.cmpi ne
// CHECK:         func.return

// One branch may leave the loop for several places: it is written back on the way to each.
int several(int k, int n, const double *a, int *at)
{
    for (*at = 0; *at < n; ++*at)
        switch ((int)a[*at]) {
        case 3: return k;
        case 5: goto five;
        }
    return 0;
five:
    return k + 5;
}
// CHECK-LABEL: func.func @several(
// CHECK:         cf.switch
// CHECK-COUNT-2: memref.store %at_{{[0-9]+}}, %at_3[] : memref<i32>
// CHECK:         func.return
