// RUN: polyopt-cc -O1 --poly=identity --emit=schedule %s --distribute=*,owned | filecheck %s
// RUN: not polyopt-cc -O1 --poly=identity --emit=schedule %s --distribute=*,owned -DWITHIN 2>&1 | filecheck %s --check-prefix=WITHIN

// Each process has its rows of A and B. It asks for the row on each side of those of A before the
// loops over time, and nothing is told to anybody behind them. The parts of the first and the last
// one have no end. What w points to everybody has.

// CHECK-LABEL: func.func @relax
// CHECK:         func.call @__polyopt_mpi_agree
// CHECK:         arith.select {{.*}} : index
// CHECK:         "mpi.irecv"
// CHECK:         memref.load %A
// CHECK:         "mpi.isend"
// CHECK:         "mpi.waitall"
// CHECK:         memref.store %{{.*}}, %A
// CHECK:         scf.for %step
// CHECK:           poly.stmt "S0" domain
// CHECK:           "mpi.irecv"
// CHECK:           "mpi.isend"
// CHECK:           "mpi.waitall"
// CHECK-NOT:     "mpi.
// CHECK:         func.return

void relax(int n, int steps, double A[restrict n], double B[restrict n], double *restrict w) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) B[i] = *w * (A[i - 1] + A[i + 1]);
    for (int i = 1; i < n - 1; i++) A[i] = B[i];
  }
}

// Where arrays may overlap, the loops of the source would run on what others have: the program ends.

// CHECK-LABEL: func.func @shifted
// CHECK:         poly.scop "shifted"
// CHECK:         [[LINE:%.*]] = arith.constant 40 : i64
// CHECK:         func.call @__polyopt_mpi_owned([[LINE]])

void shifted(int n, double A[n], double B[n]) {
  for (int t = 0; t < 5; t++)
    for (int i = 1; i < n; i++) A[i] += B[i - 1];
}

// What calls it has arrays whole, and so has what is called.

// CHECK-LABEL: func.func @called
// CHECK-NOT:     "mpi.
// CHECK-LABEL: func.func @calls

void called(int n, double A[restrict n]) {
  for (int i = 0; i < n; i++) A[i] = 0;
}
void calls(int n, double *restrict A) { called(n, A); }

#ifdef WITHIN
// WITHIN: cannot share 'within'{{.*}}: 'A' is accessed otherwise than its declaration says
void within(int n, double A[restrict n]) {
  double(*rows)[4] = (double(*)[4])A;
  for (int i = 0; i < n / 4; i++)
    for (int j = 0; j < 4; j++) rows[i][j] += 1;
}
#endif
