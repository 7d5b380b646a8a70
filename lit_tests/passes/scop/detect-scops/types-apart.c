// What is written as of one type is not read as of another one: no addresses are compared, be it an array, the row
// pointers in front of it or a size in memory. Characters may stand for anything, and so does everything where the
// source says that it does not keep to the rule.
//
// RUN: polyopt-opt %s -p 'promote-scalars,clean-values,simplify-loops,detect-scops' --remarks 2>&1 >/dev/null | filecheck %s
// RUN: polyopt-cc %s -O3 -fno-strict-aliasing --emit=poly --remarks -o /dev/null 2>&1 | filecheck %s --check-prefix=TAKEN-BACK

// CHECK-NOT: run-time check
// CHECK: types-apart.c:13:19: analysis: static control part: 1 statement, 2 arrays, loops nested 1 deep
// CHECK-NOT: run-time check
// TAKEN-BACK: that 'at' and 'x' do not overlap
void arrays(int n, double *x, const int *at) {
  for (int i = 0; i < n; i++) x[i] = at[i];
}

// CHECK: types-apart.c:20:19: analysis: static control part
// CHECK-NOT: run-time check
// TAKEN-BACK: do not overlap
void rows(int n, int k, double **a, double f) {
  for (int j = 0; j < n; j++) a[k][j] *= f;
}

// CHECK: types-apart.c:25:19: analysis: static control part: 1 statement, 1 array, loops nested 1 deep [detect-scops]
void size(const int *n, float *x) {
  for (int i = 0; i < *n; i++) x[i] = 0;
}

// CHECK: types-apart.c:30:19: analysis: behind a run-time check that 'at' and 'x' do not overlap
void characters(int n, double *x, const unsigned char *at) {
  for (int i = 0; i < n; i++) x[i] = at[i];
}

// CHECK: types-apart.c:35:19: analysis: behind a run-time check that 'at' and 'x' do not overlap
void signs(int n, unsigned *x, const int *at) {
  for (int i = 0; i < n; i++) x[i] = at[i];
}
