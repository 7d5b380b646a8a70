// Where branches bound data to less than twice a number, what is divided by it is compared with it.
// RUN: polyopt-opt %s -p 'promote-scalars,clean-values,drop-conditions' | filecheck %s

void rotated(int n, signed char *a)
{
    for (int i = 0; i < n; i++) {
        if (a[i] >= 97 && a[i] <= 122)
            a[i] = (a[i] - 97 + 13) % 26 + 97;
    }
}
// CHECK-LABEL: func.func @rotated(
// CHECK:         %[[X:.+]] = arith.addi %{{.+}}, %{{.+}} overflow<nsw> : i32
// CHECK-NEXT:    %[[AGAIN:.+]] = arith.cmpi sge, %[[X]], %[[C:.+]] : i32
// CHECK-NEXT:    %[[REST:.+]] = arith.subi %[[X]], %[[C]] : i32
// CHECK-NEXT:    arith.select %[[AGAIN]], %[[REST]], %[[X]] : i32
// CHECK-NOT:     arith.remsi

void digits(int n, unsigned char *a)
{
    for (int i = 0; i < n; i++) {
        unsigned v = a[i];
        if (v < 20)
            a[i] = v / 10;
    }
}
// CHECK-LABEL: func.func @digits(
// CHECK-NOT:     arith.divui
// CHECK:         arith.cmpi sge
// CHECK-NEXT:    arith.extui

void less_than_it(int n, unsigned char *a)
{
    for (int i = 0; i < n; i++) {
        unsigned v = a[i];
        if (v < 10)
            a[i] = v % 10;
    }
}
// CHECK-LABEL: func.func @less_than_it(
// CHECK-NOT:     arith.remui
// CHECK-NOT:     arith.select
// CHECK:         func.return

// Twice the number, what may be negative, and what only counters bound.
void refused(int n, int *a)
{
    for (int i = 0; i < n; i++) {
        int v = a[i];
        if (v >= 0 && v <= 20)
            v = v % 10;
        else if (v < 0 && v > -10)
            v = v / 11;
        a[i] = v;
        if (i < 8)
            a[i] += a[i % 5];
    }
}
// CHECK-LABEL: func.func @refused(
// CHECK-DAG:     arith.remsi
// CHECK-DAG:     arith.divsi
// CHECK-DAG:     arith.remsi
// CHECK:         func.return
