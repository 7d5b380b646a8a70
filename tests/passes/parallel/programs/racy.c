#include <stdio.h>
static int a[1000], s;
int main(void) {
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < 1000; i++) {
    a[i] = i;
    s += i;
  }
  printf("%d\n", s);
}
