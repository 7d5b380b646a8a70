// Leagues of teams on the host.
#include <omp.h>
#include <stdio.h>
#define N 1000

static int a[N], hits[N];
static int done[16];

static int count(int want) {
  int wrong = 0, teams = 0;
#pragma omp teams num_teams(want) thread_limit(2) reduction(+ : teams, wrong)
  {
    teams += 1;
    done[omp_get_team_num()]++;
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads++;
    if (threads > 2) wrong++;
  }
  return teams > 0 && teams <= want && wrong == 0;
}

static long shared_out(int n, int chunk) {
  long sum = 0;
  int last = -1, x = 3;
#pragma omp teams distribute num_teams(2) reduction(+ : sum) lastprivate(last) firstprivate(x)
  for (int i = 0; i < n; i++) {
    last = i;
    sum += a[i] * x;
    hits[i]++;
  }
#pragma omp teams num_teams(2)
  {
#pragma omp distribute dist_schedule(static, chunk)
    for (int i = n - 1; i >= 0; i--) hits[i]++;
  }
  return sum * 1000 + last % 1000;
}

static long threads_of_teams(int n, int m) {
  long sum = 0;
  int last = 0;
#pragma omp teams distribute parallel for num_teams(2) collapse(2) reduction(+ : sum) lastprivate(last)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      last = i * m + j;
      sum += a[last];
      hits[last]++;
    }
#pragma omp teams num_teams(2) default(none) shared(n, m, a, hits, sum)
#pragma omp distribute parallel for schedule(dynamic, 3) reduction(+ : sum)
  for (int i = 0; i < n * m; i++) {
    sum += a[i];
    hits[i]++;
  }
#pragma omp teams distribute simd num_teams(2) reduction(+ : sum)
  for (int i = 0; i < n * m; i++) {
    hits[i]++;
    sum += 2;
  }
#pragma omp teams loop reduction(+ : sum)
  for (int i = 0; i < n * m; i++) {
    hits[i]++;
    sum += 1;
  }
  return sum * 1000 + last % 1000;
}

static long digest(void) {
  long s = 0;
  for (int i = 0; i < N; i++) s = (s * 31 + hits[i]) % 1000003;
  return s;
}

int main(void) {
  for (int i = 0; i < N; i++) a[i] = i * 7 % 13;
  printf("%d %d\n", count(1), count(2));
  printf("%d\n", done[0]);
  printf("%ld\n", shared_out(N, 7));
  printf("%ld\n", digest());
  printf("%ld\n", threads_of_teams(20, 45));
  printf("%ld\n", digest());
  printf("%ld\n", threads_of_teams(2, 1));
  printf("%d %d\n", omp_get_num_teams(), omp_get_team_num());
  return 0;
}
