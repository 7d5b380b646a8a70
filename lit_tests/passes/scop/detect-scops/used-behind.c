// RUN: polyopt-cc -O2 --emit=poly -o - %s | filecheck %s

// What the loop's head computes is used by the branch behind the loop: it is computed anew there.

// CHECK-LABEL: func.func @rows
// CHECK:         cf.br ^[[HEAD:.*]](%i : i32)
// CHECK-NEXT:  ^[[BEHIND:.*]]:
// CHECK-NEXT:    %[[NEXT:.*]] = arith.addi %[[I:[a-z_0-9]*]], %{{.*}} overflow<nsw> : i32
// CHECK-NEXT:    cf.br ^[[HEAD]](%[[NEXT]] : i32)
// CHECK-NEXT:  ^[[HEAD]](%[[I]]: i32):
// CHECK:         poly.scop "rows"
// CHECK:         cf.br ^[[BEHIND]]
void rows(int n, const int *restrict start, double *restrict a, double *restrict done)
{
    for (int i = 0; i < n; i++) {
        for (int k = start[i]; k < start[i + 1]; k++)
            a[k] += 1.0;
        done[i] = 1.0;
    }
}
