// RUN: polyopt-cc -fopenmp -fsyntax-only %s 2>&1 | filecheck %s

// Two shared loops with no barrier between race where a thread may read what another one writes; an
// equal static schedule gives iterations of equal numbers to one thread.

void steps(int n, double *restrict a, double *restrict b, double *restrict c,
           double *restrict d) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; i++)
      b[i] = a[i];
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; i++)
      c[i] = 2 * b[i];
#pragma omp for schedule(static)
    for (int i = 1; i < n; i++)
      d[i] = c[i - 1] + c[i];
  }
}

// CHECK-NOT: race on 'b'
// CHECK:      between.c:16:{{.*}}: warning: threads race on 'c': nothing lets one wait for the other
// CHECK:      hint: leave out 'nowait', or put '#pragma omp barrier' between the two
// CHECK-NEXT: between.c:15:7: note: a shared loop (i = 1) writes c[1] here
// CHECK:      between.c:18:25: note: a shared loop (i = 1) reads c[1] here

// Of what each thread does it is enough that all come to it.
int omp_get_thread_num(void);

void each(int n, double *a, double *w) {
#pragma omp parallel
  {
    w[omp_get_thread_num()] = 0;
    for (int i = 0; i < n; i++)
      a[i]++;
  }
}

// CHECK:      threads race on 'a': each of them changes it
// CHECK-NOT: warning
