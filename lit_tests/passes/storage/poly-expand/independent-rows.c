// The scalars of a filter tie all rows together, although no value goes from one row to the next.
// With a place for each row, the rows are independent.
// RUN: polyopt-cc -O2 --emit=poly -o - %s | polyopt-opt -p poly-expand | filecheck %s
// RUN: polyopt-cc -O2 --emit=poly -o - %s | polyopt-opt -p poly-expand,poly-print-loops | filecheck %s --check-prefix=LOOPS

double X[64][32], Y[64][32];

void filter(void)
{
    double y1;
    for (int i = 0; i < 64; i++) {
        y1 = 0.0;
        for (int j = 0; j < 32; j++) {
            Y[i][j] = X[i][j] + 0.5 * y1;
            y1 = Y[i][j];
        }
    }
}

// CHECK:     %y1_x = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?xf64>
// CHECK:     poly.scop "filter"
// CHECK-SAME: local ["y1", "y1_x"]
// CHECK:     poly.write %{{.*}}, %y1_x <"{ S0[i] -> y1_x[i' = i] }"> : memref<?xf64>
// CHECK-NOT: poly.{{read|write}} {{.*}}%y1 <
// CHECK:     memref.dealloc %y1_x

// LOOPS: for (c0 = 0; c0 < 64; c0++) // parallel
