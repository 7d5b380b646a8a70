// RUN: polyopt-cc -O3 -fparallel=2 -fparallel-threshold=0 --remarks -c %s -o %t.o 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 -fparallel=2 --print-after=parallelize-irregular -c %s -o %t.o 2>&1 | filecheck %s --check-prefix=IR

// A loop around loops that data end stays in one thread where iterations may meet, or nobody knows; and so does what
// the programmer keeps there. Nothing is made of any of these.

// IR-NOT: omp

void outside(int);

void reads_others(int n, const int *restrict p, const int *restrict c, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = p[i]; j < p[i + 1]; j++)
      s += y[c[j]];
    y[i] = s;
  }
}
// CHECK: irregular_refused.c:12:{{.*}} missed: loop i in one thread: iterations may meet in y (line 16) [parallelize-irregular]

void scatters(int n, const int *restrict p, const int *restrict c, double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = p[i]; j < p[i + 1]; j++)
      y[c[j]] += 1;
}
// CHECK: irregular_refused.c:22:{{.*}} iterations may meet in y (line 24)

void may_overlap(int n, const int *p, double *y, double *v) {
  for (int i = 0; i < n; i++)
    for (int j = p[i]; j < p[i + 1]; j++)
      y[i] += v[j];
}
// CHECK: irregular_refused.c:29:{{.*}} y, which it writes, and v may overlap: `restrict` on y says that they do not

void neighbours(int n, const int *restrict p, double *restrict y) {
  for (int i = 0; i < n; i++) {
    for (int j = p[i]; j < p[i + 1]; j++)
      y[i] += 1;
    y[i + 1] = 0;
  }
}
// CHECK: irregular_refused.c:36:{{.*}} iterations may meet in y (line 38)

int leaves(int n, const int *restrict p, int *restrict y) {
  for (int i = 0; i < n; i++) {
    for (int j = p[i]; j < p[i + 1]; j++)
      y[i] += j;
    if (y[i] < 0)
      return i;
  }
  return -1;
}
// CHECK: irregular_refused.c:45:{{.*}} it may be left before it is through

void longer_rows(int n, int m, const int *restrict p, int *restrict y) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= m; j++)
      y[i * m + j] = j;
    for (int j = p[i]; j < p[i + 1]; j++)
      y[i * m] += j;
  }
}
// CHECK: irregular_refused.c:56:{{.*}} iterations may meet in y

void one_element(int n, const int *restrict p, int *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = p[i]; j < p[i + 1]; j++)
      y[0] = j;
}
// CHECK: irregular_refused.c:66:{{.*}} iterations may meet in y

void left_over(int n, const int *restrict p, int *restrict y) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    for (int j = p[i]; j < p[i + 1]; j++)
      s += j;
    y[i] = s;
  }
}
// CHECK: irregular_refused.c:74:{{.*}} what an iteration leaves in s is read later

int used_behind(int n, const int *restrict p, int *restrict y) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    s = 0;
    for (int j = p[i]; j < p[i + 1]; j++)
      s += j;
    y[i] = s;
  }
  return s;
}
// CHECK: irregular_refused.c:84:{{.*}} what an iteration leaves in s is read later

void calls(int n, const int *restrict p, int *restrict y) {
  for (int i = 0; i < n; i++) {
    for (int j = p[i]; j < p[i + 1]; j++)
      outside(j);
    y[i] = i;
  }
}
// CHECK: irregular_refused.c:95:{{.*}} it calls a function (line 97)

void wraps(unsigned n, const int *restrict p, int *restrict y) {
  for (unsigned i = 0; i <= n; i++)
    for (int j = p[i]; j < p[i + 1]; j++)
      y[i] += j;
}
// CHECK: irregular_refused.c:104:{{.*}} what it counts with does not go in steps

void kept(int n, const int *restrict p, int *restrict y) {
#pragma polyopt serial
  for (int i = 0; i < n; i++)
    for (int j = p[i]; j < p[i + 1]; j++)
      y[i] += j;
}
// CHECK: irregular_refused.c:112:{{.*}} the programmer keeps it there

_Thread_local int own[1000];
void of_threads(int n, const int *restrict p) {
  for (int i = 0; i < n; i++)
    for (int j = p[i]; j < p[i + 1]; j++)
      own[i] += j;
}
// CHECK: irregular_refused.c:120:{{.*}} each thread has a variable own of its own

void comes_again(unsigned n, const int *restrict p, int *restrict y) {
  for (unsigned i = 0; i < n; i++)
    for (int j = p[i]; j < p[i + 1]; j++)
      y[(unsigned char)i] = j;
}
// CHECK: irregular_refused.c:127:{{.*}} iterations may meet in y

void wraps_at(int n, const int *restrict p, int *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = p[i]; j < p[i + 1]; j++)
      y[(unsigned)i * 65536u] += j;
}
// CHECK: irregular_refused.c:134:{{.*}} iterations may meet in y

// One element is left as the iteration before has it.
void not_all(int n, const int *restrict p, const int *restrict c, double *restrict y) {
  double row[64];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 63; j++)
      row[j] = 0;
    for (int j = p[i]; j < p[i + 1]; j++)
      row[c[j] & 63] += 1;
    y[i] = row[3];
  }
}
// CHECK: irregular_refused.c:143:{{.*}} iterations may meet in row

// It is read before it is filled.
void too_late(int n, const int *restrict p, const int *restrict c, double *restrict y) {
  double row[64] = {1};
  for (int i = 0; i < n; i++) {
    y[i] = row[3];
    for (int j = 0; j < 64; j++)
      row[j] = i;
    for (int j = p[i]; j < p[i + 1]; j++)
      row[c[j] & 63] += 1;
  }
}
// CHECK: irregular_refused.c:156:{{.*}} iterations may meet in row

// What the last iteration leaves is read.
void read_behind(int n, const int *restrict p, const int *restrict c, double *restrict y) {
  double row[64];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 64; j++)
      row[j] = 0;
    for (int j = p[i]; j < p[i + 1]; j++)
      row[c[j] & 63] += 1;
    y[i] = row[3];
  }
  y[n] = row[5];
}
// CHECK: irregular_refused.c:169:{{.*}} iterations may meet in row

// Whether it is filled, data decide.
void at_times(int n, const int *restrict p, const int *restrict c, double *restrict y) {
  double row[64];
  for (int j = 0; j < 64; j++)
    row[j] = 0;
  for (int i = 0; i < n; i++) {
    if (c[i])
      for (int j = 0; j < 64; j++)
        row[j] = 0;
    for (int j = p[i]; j < p[i + 1]; j++)
      row[c[j] & 63] += 1;
    y[i] = row[3];
  }
}
// CHECK: irregular_refused.c:185:{{.*}} iterations may meet in row

// Floating-point sums have an order.
double in_order(int n, const int *restrict p, const double *restrict v) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double t = 0;
    for (int j = p[i]; j < p[i + 1]; j++)
      t += v[j];
    s += t * t;
  }
  return s;
}
// CHECK: irregular_refused.c:199:{{.*}} what an iteration leaves in s is read later

// Each iteration looks at what the others have added.
int looks(int n, const int *restrict p, int *restrict y) {
  int total = 0;
  for (int i = 0; i < n; i++) {
    for (int j = p[i]; j < p[i + 1]; j++)
      total += j;
    y[i] = total;
  }
  return total;
}
// CHECK: irregular_refused.c:212:{{.*}} loop i in one thread

// Two kinds of updates have an order.
int two_kinds(int n, const int *restrict p, int *restrict y) {
  int total = 1;
  for (int i = 0; i < n; i++) {
    int c = 0;
    for (int j = p[i]; j < p[i + 1]; j++)
      c += y[j];
    if (c > 5)
      total *= c;
    else
      total += c;
  }
  return total;
}
// CHECK: irregular_refused.c:224:{{.*}} loop i in one thread


// What the loop's condition does is done once more than there are iterations.
int asks_once_more(int n, const int *restrict p, int *restrict y) {
  int asked = 0;
  for (int i = 0; asked++, i < n; i++) {
    int c = 0;
    for (int j = p[i]; j < p[i + 1]; j++)
      c += j;
    y[i] = c;
  }
  return asked;
}
// CHECK: irregular_refused.c:241:{{.*}} it writes where it asks whether to go on (line 241)

void clears_one_more(int n, const int *restrict p, int *restrict y) {
  for (int i = 0; y[i] = 0, i < n; i++)
    for (int j = p[i]; j < p[i + 1]; j++)
      y[i] += j;
}
// CHECK: irregular_refused.c:252:{{.*}} it writes where it asks whether to go on (line 252)

void one_third_more(int n, const int *restrict p, double y[restrict 60][50]) {
  for (int i = 0; i < n; i++)
    for (int j = p[i]; j < p[i + 1]; j++)
      y[3 * i][j] = y[3 * i + 3][j] + y[3 * i + 2][0];
}
// CHECK: irregular_refused.c:259:{{.*}} iterations may meet in y (line 261)
