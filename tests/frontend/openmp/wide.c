/* Places too wide for an instruction: long doubles are changed under the lock of all atomic ones. */
#include <stdio.h>

#define N 100

struct sums { char kind; long double all; };

int main(void) {
  struct sums sums = {'s', 1}, *to = &sums;
  long double last = 0, most = -1;
  int seen[N + 1] = {0}, twice = 0;
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
    long double before, here;
#pragma omp atomic
    to->all += i * 0.5L;
#pragma omp atomic capture
    before = last++;
    seen[(int)before]++;
#pragma omp atomic capture
    { here = last; last = last + 0; }
#pragma omp atomic read
    here = last;
#pragma omp atomic compare
    most = i > most ? i : most;
    if (here < 1) seen[0] = 5;
  }
  for (int i = 0; i < N; i++) twice += seen[i] != 1;
#pragma omp atomic write
  sums.all = sums.all * 2;
  printf("%Lg %Lg %Lg %d\n", sums.all, last, most, twice);
  return 0;
}
