// Tasks that depend on several places at once.
#include <stdio.h>

int main(void) {
  int a[8], sum = -1, after = -1;
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    for (int i = 0; i < 8; i++) {
#pragma omp task depend(out : a[i])
      a[i] = i * i;
    }
#pragma omp task depend(iterator(int k = 1 : 9), in : a[k - 1]) shared(sum)
    {
      sum = 0;
      for (int i = 0; i < 8; i++) sum += a[i];
    }
#pragma omp task depend(out : a[0]) shared(after)
    {
      after = sum + 1;
      for (int i = 0; i < 8; i++) a[i] = 0;
    }
  }
  printf("%d %d %d\n", sum, after, a[7]);
  return 0;
}
