// RUN: polyopt-cc -fopenmp -fsyntax-only %s 2>&1 | wc -c | filecheck %s

// What is not known to happen is not spoken of: subscripts from data, a distance that may be longer than
// the loop, a condition on data, a call, a region that may be one thread's, what only threads do whose
// answer to a question is yes.

double outside(double);

void unknown(int n, int m, int safe, const int *at, double *a, double *b) {
  double s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[at[i]] += b[i];
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i + m] = a[i];
#pragma omp parallel for
  for (int i = 1; i < n; i++)
    if (b[i] > 0)
      a[i] = a[i - 1];
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    s += outside(a[i]);
#pragma omp parallel for if (!safe)
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1];
  b[0] = s;
}

int omp_get_thread_num(void);

void first_and_second(int n, double *a) {
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    if (me == 0)
      for (int i = 0; i < n; i++)
        a[i]++;
    else if (me == 1)
      for (int i = n; i < 2 * n; i++)
        a[i]++;
#pragma omp barrier
    switch (me) {
    case 2:
      a[n]++;
      break;
    case 3:
      for (int i = 0; i < n; i++)
        a[i]++;
    }
  }
}

// CHECK: {{^ *0$}}
