// RUN: polyopt-cc -fopenmp=libgomp -c %s -o %t.o 2>&1 | filecheck %s --allow-empty

// Iterations that wait for one another, sums that iterations see, and loops that are left early are
// not followed: nothing is said of them.

// CHECK-NOT: warning
void relax(int n, double *a) {
#pragma omp parallel for ordered
  for (int i = 1; i < n; i++) {
#pragma omp ordered doacross(sink : i - 1)
    a[i] += a[i - 1];
#pragma omp ordered doacross(source :)
  }
}

int sums(int n, int *a, int *b) {
  int s = 0;
#pragma omp simd reduction(inscan, + : s)
  for (int i = 0; i < n; i++) {
    b[i] = s;
#pragma omp scan exclusive(s)
    s += a[i];
  }
  return s;
}

void early(int n, int *a) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    a[i] = i;
#pragma omp cancel for if (a[i] > 7)
  }
}

// What number a thread takes depends on who came before: no two have the same.
int tickets(int n, char *restrict seen) {
  int next = 0, after = 0;
#pragma omp parallel
  for (;;) {
    int mine;
#pragma omp atomic capture
    {
      mine = next;
      next += 1;
    }
    if (mine >= n)
      break;
    seen[mine]++;
  }
#pragma omp parallel
  {
    int mine;
#pragma omp critical(counter)
    {
      mine = after;
      after = mine + 1;
    }
    seen[mine]++;
  }
  return next + after;
}
