// RUN: polyopt-cc -fopenmp=libgomp -c %s -o %t.o 2>&1 | filecheck %s

// What the threads of a team share is looked at as anywhere.

// CHECK:      teams.c:10:13: warning: iterations in different threads race on 'a'
// CHECK:      teams.c:12:12: note: i = {{[0-9]+}} reads
// CHECK-NOT:  warning
void shift(int n, double *a) {
#pragma omp teams
#pragma omp distribute parallel for
  for (int i = 0; i < n; i++)
    a[i] = a[i + 1];
}

void scale(int n, double *a) {
#pragma omp teams distribute parallel for
  for (int i = 0; i < n; i++) a[i] *= 2;
}
