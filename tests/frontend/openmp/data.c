/* Whose a variable is: shared, private, with the first or the last value, one for each thread. */
#include <omp.h>
#include <stdio.h>
#include <string.h>

struct point { double x, y; char name[5]; };
static int global = 3;
static int counter = 10, table[4] = {1, 2, 3, 4};
static struct point own = {1.5, 2.5, "own"};
#pragma omp threadprivate(counter, own)
#pragma omp threadprivate(table)

static int next(void) {
  static int calls = 100;
#pragma omp threadprivate(calls)
  return calls++;
}

static void parameters(int plain, int changed, double *p, struct point s, int n, int vla[n]) {
  int ok = 0;
#pragma omp parallel firstprivate(changed, s) num_threads(3) default(none) \
    shared(ok, plain, p, n, vla)
  {
    changed += plain + vla[n - 1];
    s.x += changed;
#pragma omp critical
    {
      ok += changed;
      p[0] += s.x;
    }
  }
  printf("%d %g %g %d\n", ok, p[0], s.x, changed);
}

static void orphan(double *a, int n) {
  int i;
#pragma omp for
  for (i = 0; i < n; i++) a[i] = i + omp_get_num_threads() - omp_get_num_threads();
#pragma omp single
  a[0] = -1;
}

int main(void) {
  int x = 7, y = 5, z = 0, sum = 0;
  int array[6] = {1, 2, 3, 4, 5, 6};
  struct point p = {1, 2, "abc"};
  double total = 0;
#pragma omp parallel num_threads(3) private(x) firstprivate(y, array, p) shared(sum)
  {
    x = omp_get_thread_num();
    array[x] += 10;
    p.x += x;
    strcpy(p.name, "xyz");
    y += x;
#pragma omp critical(sums)
    {
      sum += x + y + array[0] + array[1] + array[2];
      total += p.x;
    }
  }
  printf("%d %d %d %d %g %s\n", x, y, sum, array[0], total, p.name);

#pragma omp parallel for num_threads(3) private(global) lastprivate(p) schedule(static, 1)
  for (int i = 0; i < 7; i++) {
    global = i;
    p.x = global;
    p.name[0] = 'a' + i;
  }
  printf("%d %g %c\n", global, p.x, p.name[0]);
#pragma omp parallel for firstprivate(z) lastprivate(z) num_threads(2)
  for (int i = 0; i < 10; i++) z += i == 9 ? 100 : 0;
  printf("%d\n", z);

  int n = 4;
  double vla[n], rows[n][3];
  for (int i = 0; i < n; i++) vla[i] = i, rows[i][2] = i * i;
#pragma omp parallel firstprivate(vla, rows) num_threads(2) reduction(+ : total)
  {
    vla[3] += omp_get_thread_num();
    rows[1][1] = vla[3];
    total += vla[3] + rows[3][2] + rows[1][1];
  }
  printf("%g %g\n", total, vla[3]);
  double place = 1;
  parameters(2, 3, &place, p, 3, (int[]){4, 5, 6});
  double orphaned[9];
#pragma omp parallel num_threads(3)
  orphan(orphaned, 9);
  for (int i = 0; i < 9; i++) printf("%g ", orphaned[i]);
  orphan(orphaned, 4);
  printf("%g\n", orphaned[0] + orphaned[3]);

  counter = 20;
  table[2] = 30;
  own.x = 9;
  int wrong = 0;
#pragma omp parallel num_threads(3) copyin(counter, own) reduction(+ : wrong)
  {
    wrong += counter != 20 || own.x != 9 || own.y != 2.5 || own.name[0] != 'o';
    counter = omp_get_thread_num();
    int first = next();
#pragma omp barrier
    wrong += counter != omp_get_thread_num() || next() != first + 1;
    wrong += omp_get_thread_num() != 0 && table[2] != 3;
  }
  printf("%d %d %d\n", wrong, counter, table[2]);

  int nested = 0;
#pragma omp parallel num_threads(2)
  {
    int mine = omp_get_thread_num(), inner = 0;
#pragma omp parallel num_threads(2) reduction(+ : inner) if (mine < 5)
    inner += mine + 1;
#pragma omp atomic
    nested += omp_get_level();
#pragma omp parallel if (0)
#pragma omp atomic
    nested += 10 * omp_get_num_threads();
  }
  printf("%d\n", nested);
  {
    unsigned block = 0;
#pragma omp parallel num_threads(4)
    {
      unsigned bit = 1u << omp_get_thread_num();
      for (int k = 0; k < 3; k++) {
        if (k == 1) continue;
#pragma omp atomic
        block |= bit;
        if (k == 2) break;
      }
      switch (bit) {
      case 1:
        goto out;
      default:
        break;
      }
    out:;
    }
    printf("%u\n", block);
  }
  return 0;
}
