/* All operators, scalars, arrays and sections, and one that the program declares. */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#define N 60

typedef struct { double sum; int count; } mean_t;
#pragma omp declare reduction(join : mean_t : omp_out.sum += omp_in.sum, \
        omp_out.count += omp_in.count) initializer(omp_priv = omp_orig)
#pragma omp declare reduction(farthest : int : omp_out = \
        omp_in * omp_in > omp_out * omp_out ? omp_in : omp_out) initializer(omp_priv = 0)

#pragma omp declare reduction(both : mean_t : omp_out.sum += omp_in.sum, \
        omp_out.count += omp_in.count) initializer(omp_priv = {.count = 0, .sum = 0.0})

static long shared_sum;

static void add(int n, double *to, const double *from, int length) {
#pragma omp parallel for reduction(+ : to[1 : length])
  for (int i = 0; i < n; i++) to[1 + i % length] += from[i];
}

int main(void) {
  int v[N];
  double d[N];
  for (int i = 0; i < N; i++) v[i] = (i * 29 + 13) % 47, d[i] = v[i] - 20.5;
  int sum = 1, minus = 2, product = 1, all = -1, any = 0, odd = 5;
  bool both = true, either = false;
  int largest = INT_MIN, smallest = INT_MAX;
  double high = -1e300, low = 1e300, total = 0.25;
  float single = 1;
  unsigned char small = 200;
#pragma omp parallel for reduction(+ : sum, total, single, small) reduction(- : minus) \
    reduction(& : all) reduction(| : any) reduction(^ : odd) reduction(&& : both) \
    reduction(|| : either) reduction(max : largest, high) reduction(min : smallest, low)
  for (int i = 0; i < N; i++) {
    sum += v[i];
    minus -= v[i];
    total += d[i];
    single += 1;
    small += i;
    all &= v[i] | 64;
    any |= 1 << v[i] % 20;
    odd ^= v[i];
    both = both && v[i] < 47;
    either = either || v[i] == 11;
    if (v[i] > largest) largest = v[i];
    smallest = v[i] < smallest ? v[i] : smallest;
    high = d[i] > high ? d[i] : high;
    if (low > d[i]) low = d[i];
  }
  printf("%d %d %d %d %d %d %d\n", sum, minus, all, any, odd, both, either);
  printf("%d %d %g %g %g %g %d\n", largest, smallest, high, low, total, single, small);
#pragma omp parallel for reduction(* : product)
  for (int i = 1; i < 11; i++) product *= i;
  printf("%d\n", product);

  int histogram[7] = {1}, table[3][4] = {{0}};
#pragma omp parallel
  {
#pragma omp for reduction(+ : histogram) reduction(max : table[1:2]) schedule(dynamic, 7)
    for (int i = 0; i < N; i++) {
      histogram[v[i] % 7]++;
      if (v[i] > table[1 + i % 2][i % 3]) table[1 + i % 2][i % 3] = v[i];
    }
  }
  for (int i = 0; i < 7; i++) printf("%d ", histogram[i]);
  for (int i = 4; i < 12; i++) printf("%d ", table[i / 4][i % 4]);
  double to[6] = {0, 1, 2, 3, 4, 5};
  add(N, to, d, 4);
  for (int i = 0; i < 6; i++) printf("%g ", to[i]);
  printf("\n");

  mean_t mean = {0, 0};
  int far = 3;
#pragma omp parallel for reduction(join : mean) reduction(farthest : far)
  for (int i = 0; i < N; i++) {
    mean.sum += d[i];
    mean.count += 1;
    if (v[i] * v[i] > far * far) far = -v[i];
  }
  printf("%g %d %d\n", mean.sum, mean.count, far);

#pragma omp parallel num_threads(3) reduction(+ : shared_sum)
  {
    shared_sum += 2;
#pragma omp for
    for (int i = 0; i < N; i++) shared_sum += v[i];
  }
  int parts = 0;
#pragma omp parallel sections reduction(+ : parts)
  {
    parts += 1;
#pragma omp section
    parts += 20;
#pragma omp section
    parts += 300;
  }
  printf("%ld %d\n", shared_sum, parts);
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < N; i++) sum += v[i];
  printf("%d\n", sum);
  mean_t more = {0.5, 3};
#pragma omp parallel for reduction(both : more)
  for (int i = 0; i < N; i++) more.sum += v[i], more.count++;
  printf("%g %d\n", more.sum, more.count);
  return 0;
}
