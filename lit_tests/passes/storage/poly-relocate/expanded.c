// One row of sums serves all (r, q). A row for each q sets the product over q, p and s free; the
// last one is copied out, since the caller may look at `sum`.
// RUN: polyopt-opt %s -p promote-scalars,detect-scops,poly-relocate | filecheck %s

void multiply(int nr, int nq, int np, double A[20][30][40], double B[40][40], double sum[40])
{
    for (int r = 0; r < nr; r++)
        for (int q = 0; q < nq; q++) {
            for (int p = 0; p < np; p++) {
                sum[p] = 0.0;
                for (int s = 0; s < np; s++)
                    sum[p] += A[r][q][s] * B[s][p];
            }
            for (int p = 0; p < np; p++)
                A[r][q][p] = sum[p];
        }
}

// CHECK:     %sum_x = memref.alloc(%{{.*}}, %{{.*}}) {alignment = 64 : i64} : memref<?x?xf64>
// CHECK:     poly.scop "multiply"
// CHECK-SAME: "sum_x"] local ["sum_x"]
// CHECK:     poly.write %{{.*}}, %sum_x <"{{.*}}S0[r, q, p] -> sum_x[{{.*}}q, p]{{.*}}">
// CHECK:     poly.stmt "copy_sum"
// CHECK:       [[VALUE:%.*]] = poly.read %sum_x <"{{.*}}-1 + nq{{.*}}">
// CHECK-NEXT:  poly.write [[VALUE]], %sum
// CHECK:     memref.dealloc %sum_x
