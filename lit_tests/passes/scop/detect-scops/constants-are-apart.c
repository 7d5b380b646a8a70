// Nobody may write constants and literals: whoever writes, writes elsewhere, and no check is needed.
// What may be written is another thing, even if nothing here writes it.
// RUN: polyopt-cc -O2 --emit=poly --remarks -o /dev/null %s 2>&1 | filecheck %s

static const int weights[4] = {1, 2, 3, 4};
static int counts[4];

void constants(int n, int *a) {
  // CHECK: static control part: 1 statement, 3 arrays, loops nested 1 deep [detect-scops]
  // CHECK-NOT: overlap
  for (int i = 0; i < n; i++)
    a[i] = weights[i & 3] + "abc"[i % 3];
}

void variables(int n, int *a) {
  // CHECK: static control part: 1 statement, 2 arrays, loops nested 1 deep, behind a run-time check
  // CHECK: 'counts' and 'a' do not overlap
  for (int i = 0; i < n; i++)
    a[i] = counts[i & 3];
}

int *count(int i) { return counts + i; }
