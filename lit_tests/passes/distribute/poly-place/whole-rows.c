// RUN: polyopt-cc -O1 --poly=identity --emit=schedule %s --distribute=* | filecheck %s

// Behind the last step whole rows lie side by side: they are sent from where they are, and received there. Where the length of a row is
// known when the program runs, that decides; parts of rows are always packed.

// CHECK-LABEL: func.func @sums
// CHECK:         %[[PLACE:.*]] = arith.select %{{.*}} : !llvm.ptr
// CHECK:         "mpi.irecv"(%[[PLACE]],
// CHECK:         scf.if %{{.*}} {
// CHECK-NOT:       memref.load %C
// CHECK:         } else {
// CHECK:           memref.load %C
// CHECK:         %[[FROM:.*]] = arith.select %{{.*}} : !llvm.ptr
// CHECK:         "mpi.isend"(%[[FROM]],
// CHECK:         "mpi.waitall"
// CHECK:         scf.if
void sums(int n, int m, double C[restrict n][100], double A[restrict n][100])
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < m; j++)
                C[i][j] += A[i][k] * A[k][j];
}

// CHECK-LABEL: func.func @inside
// CHECK-NOT:     arith.select {{.*}} : !llvm.ptr
// CHECK:         memref.load %C
// CHECK:         "mpi.isend"
// CHECK:         func.return
void inside(int n, double C[restrict n][n], double A[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 1; j < n - 1; j++)
                C[i][j] += A[i][k] * A[k][j];
}
