/* Two rows that go round, of arrays that end where the last page does. All that is stored has few
   enough bits that no order of operations rounds it. */

#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

void rows(double *a, double *b, double *c, long n) {
  for (long i = 1; i < n; i++) {
    a[i] = b[i - 1] * .5 + c[i];
    b[i] = a[i] * .5 + c[i - 1];
  }
}

static double *before_the_end(long n) {
  long page = sysconf(_SC_PAGESIZE);
  char *memory = mmap(0, 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(memory, page, PROT_READ | PROT_WRITE);
  return (double *)(memory + page) - n;
}

int main(void) {
  for (long n = 0; n < 23; n++) {
    double *a = before_the_end(n), *b = before_the_end(n), *c = before_the_end(n);
    for (long i = 0; i < n; i++) a[i] = i, b[i] = 3 - i, c[i] = i % 5 - 2;
    rows(a, b, c, n);
    for (long i = 0; i < n; i++) printf("%ld %ld %a %a\n", n, i, a[i], b[i]);
  }
}
