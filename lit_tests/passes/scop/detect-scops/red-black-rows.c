// The remainder that says which other elements of a row come first has no part in the length of the row, also where it
// is multiplied out: rows have n elements, not n + 1.
//
// RUN: polyopt-cc -O3 --print-after=detect-scops --print-only=f -c -o /dev/null %s 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 --print-after=detect-scops --print-only=padded -c -o /dev/null %s 2>&1 | filecheck %s --check-prefix=PADDED

// CHECK:     cmem.view %u[%n_1] : memref<?x?xf64>
// CHECK:     poly.scop "f"
// CHECK-NOT: n <= 2
// CHECK-SAME: schedule
void f(double *restrict u, int n, int c) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1 + (i + c) % 2; j < n - 1; j += 2)
            u[i * n + j] = u[(i - 1) * n + j] + u[(i + 1) * n + j];
}

// PADDED: %[[ONE:.*]] = arith.constant 1 : index
// PADDED: %[[N:.*]] = arith.addi %n_1, %[[ONE]] : index
// PADDED: cmem.view %u[%[[N]]] : memref<?x?xf64>
void padded(double *restrict u, int n, int c) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1 + (i + c) % 2; j < n - 1; j += 2)
            u[i * (n + 1) + j] = u[(i - 1) * (n + 1) + j] + u[(i + 1) * (n + 1) + j];
}
