// RUN: polyopt-cc -O2 --poly=identity --emit=affine %s --distribute=3x2 | filecheck %s

// Perhaps no element is written: where that is so, it shows when the program runs, there are no
// parts to share, and each process does what there is. A vector is on the first column of the grid.

// CHECK-LABEL: func.func @grow
// CHECK:       func.call @__polyopt_mpi_agree
// CHECK:       scf.if
// CHECK:         "mpi.comm.rank"
// CHECK:         %own_place1 = arith.remui
// CHECK-NOT:     "mpi.isend"
// CHECK:         arith.mulf
// CHECK:         "mpi.isend"
// CHECK:       } else {
// CHECK-NOT:     mpi.
// CHECK:         arith.mulf
// CHECK-NOT:     mpi.
// CHECK:       func.return
void grow(int n, int steps, double C[restrict n], double A[restrict n]) {
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < n; i++) C[i] += A[i] * t;
}
