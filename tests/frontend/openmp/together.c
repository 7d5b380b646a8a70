/* What threads do one at a time, once, or when all are there; and what is atomic. */
#include <omp.h>
#include <stdio.h>

static double fl = 1;
static int ring[4];

int main(void) {
  int n = 0, held = 0, masters = 0, singles = 0, wrong = 0, parts = 0, last = 0;
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(4)
  {
    for (int k = 0; k < 50; k++) {
#pragma omp critical
      n++;
#pragma omp critical(other)
      {
        held++;
      }
    }
#pragma omp barrier
    if (n != 200 || held != 200) {
#pragma omp atomic
      wrong++;
    }
#pragma omp master
    masters++;
#pragma omp masked filter(2)
    {
#pragma omp atomic write
      ring[0] = omp_get_thread_num();
    }
#pragma omp single nowait
    {
#pragma omp atomic
      singles += 1;
    }
#pragma omp single
    {
#pragma omp atomic
      singles += 10;
    }
    double copied;
    int pair[2];
#pragma omp single copyprivate(copied, pair)
    {
      copied = 2.5;
      pair[1] = 7;
    }
    if (copied != 2.5 || pair[1] != 7) {
#pragma omp atomic
      wrong++;
    }
#pragma omp sections lastprivate(last) nowait
    {
#pragma omp section
      {
        last = 1;
#pragma omp atomic
        parts += 1;
      }
#pragma omp section
#pragma omp atomic
      parts += 10;
#pragma omp section
      {
        last = 3;
#pragma omp atomic
        parts += 100;
      }
    }
    omp_set_lock(&lock);
    ring[1]++;
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    ring[2]++;
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
#pragma omp flush
  }
  printf("%d %d %d %d %d %d %d %d %d\n", n, masters, singles, wrong, parts, last, ring[0], ring[1],
         ring[2]);

  int i8 = 0, seen[40] = {0}, missing = 0;
  unsigned char c = 250;
  short s = 0;
  long l = 1, swapped = 100;
  _Bool flag = 0;
  double product = 1, quotient = 1024, rest = 0;
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 40; i++) {
    int v;
#pragma omp atomic
    c++;
#pragma omp atomic update
    s -= 2;
#pragma omp atomic
    l = l + i;
#pragma omp atomic
    fl += 0.5;
#pragma omp atomic
    product *= i == 3 ? 2 : 1;
#pragma omp atomic
    quotient = quotient / (i % 10 == 0 ? 2 : 1);
#pragma omp atomic
    rest = 1 - rest;
#pragma omp atomic
    ring[3] ^= i;
#pragma omp atomic
    swapped = 3 - swapped;
#pragma omp atomic capture
    v = i8++;
    seen[v]++;
#pragma omp atomic capture
    {
      v = s;
      s = s * 1;
    }
    if (v > 0) {
#pragma omp atomic write
      flag = 1;
    }
#pragma omp atomic capture
    {
      n += 2;
      v = n;
    }
    if (v <= 200) missing++;
#pragma omp atomic read seq_cst
    v = n;
#pragma omp atomic capture
    v = l |= 0;
  }
  for (int i = 0; i < 40; i++) missing += seen[i] != 1;
  printf("%d %d %ld %g %g %g %g %d %ld %d %d %d\n", c, s, l, fl, product, quotient, rest, ring[3],
         swapped, missing, n, flag);
#pragma omp parallel num_threads(2)
  {
    int old = -1;
#pragma omp atomic capture
    {
      old = i8;
      i8 = 77;
    }
    if (old != 40 && old != 77) wrong++;
  }
  printf("%d %d\n", i8, wrong);
  omp_destroy_lock(&lock);
  return omp_in_parallel();
}
