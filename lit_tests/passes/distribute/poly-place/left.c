// RUN: polyopt-cc -O2 -c %s -o %t.o --distribute=4 --remarks 2>&1 | filecheck %s
// RUN: polyopt-cc -O2 --emit=affine %s --distribute=4 | filecheck %s --check-prefix=CODE

// What is not known exactly, or is as much to send as to compute, each process computes: no
// message is in the code.

// CODE-NOT: mpi.

void scatter(int n, int at[restrict n], double A[restrict n], double B[restrict n]) {
  // CHECK: each process computes all of 'scatter': which element of 'A' is read depends on data
  for (int t = 0; t < n; t++)
    for (int i = 0; i < n; i++) A[at[i]] = A[at[i]] + B[i];
}

void fill(int n, double A[n][n]) {
  // CHECK: all of 'fill': telling all of them the results costs as much
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) A[i][j] = i + j;
}

void swap(int n, int steps, char *A[restrict n], char *B[restrict n]) {
  // CHECK: all of 'swap': the elements of 'B' mean nothing to another process
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n; i++) B[i] = B[i - 1];
}

double total(int n, double A[n]) {
  double sum = 0;
  // CHECK: all of 'total': telling all of them the results costs as much
  for (int i = 0; i < n; i++) sum += A[i];
  return sum;
}
