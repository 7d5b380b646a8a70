// Constructs that are left early: what is certain of each is printed.
#include <omp.h>
#include <stdio.h>

static int find(const int *a, int n, int wanted) {
  int found = -1, rounds = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : rounds)
  for (int i = 0; i < n; i++) {
    char row[i % 7 + 1];
    row[0] = 1;
    rounds += row[0];
    if (a[i] == wanted) {
#pragma omp atomic write
      found = i;
#pragma omp cancel for
    }
#pragma omp cancellation point for
  }
  return found + (rounds > n) * 1000;
}

static int stopped_at_barriers(void) {
  int reached = 0, behind = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp atomic
    reached++;
#pragma omp barrier
    if (omp_get_thread_num() == 1) {
#pragma omp cancel parallel
    }
#pragma omp for schedule(static)
    for (int i = 0; i < 9; i++) ;
#pragma omp barrier
#pragma omp atomic
    behind++;
  }
  return reached * 10 + behind;
}

static int one_section_only(void) {
  int done = 0;
#pragma omp parallel num_threads(1)
#pragma omp sections
  {
#pragma omp section
    {
      done += 1;
#pragma omp cancel sections
      done += 10;
    }
#pragma omp section
    {
#pragma omp cancellation point sections
      done += 100;
    }
  }
  return done;
}

static int tasks(void) {
  int done = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  {
#pragma omp task shared(done)
    {
#pragma omp cancel taskgroup
      done += 100;
    }
#pragma omp taskwait
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(done)
      {
#pragma omp cancellation point taskgroup
#pragma omp atomic
        done++;
      }
    }
  }
  return done;
}

static int not_at_all(int yes) {
  int sum = 0;
#pragma omp parallel
  {
#pragma omp for reduction(+ : sum) schedule(static, 2)
    for (int i = 0; i < 100; i++) {
#pragma omp cancel for if (yes)
      sum += i;
    }
  }
  return sum;
}

static int again_and_again(void) {
  int rounds = 0;
#pragma omp parallel num_threads(2)
  for (int k = 0; k < 50; k++) {
#pragma omp for schedule(static)
    for (int i = 0; i < 8; i++) {
#pragma omp cancel for if (k % 2)
#pragma omp atomic
      rounds++;
    }
  }
  return rounds;
}

int main(void) {
  int a[200];
  for (int i = 0; i < 200; i++) a[i] = 3 * i;
  printf("%d %d\n", find(a, 200, 300), find(a, 200, 301));
  printf("%d\n", one_section_only());
  printf("%d\n", tasks());
  printf("%d\n", not_at_all(0));
  printf("%d\n", again_and_again());
  printf("%d\n", omp_get_cancellation());
  printf("%d\n", stopped_at_barriers());
  return 0;
}
