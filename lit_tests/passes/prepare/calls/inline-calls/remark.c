// RUN: polyopt-cc -O3 --skip-pass=inline-functions --remarks -c %s -o /dev/null 2>&1 | filecheck %s

static int least(int a, int b) { return a < b ? a : b; }

void smooth(int n, int *restrict a, const int *restrict b) {
  for (int i = 1; i < n; i++)
    a[i] = least(b[i - 1], b[i]);
}

// CHECK: remark.c:7:12: {{applied|analysis: tried, and not kept}}: call of least inlined [inline-calls]
