// Of a window around each element, of a radius that nobody knows, short ones run as they were written; of a loop
// whose ends stay where they are, nothing is asked.
// RUN: polyopt-cc -O3 -march=x86-64-v3 -c %s -o %t.o --remarks=nests 2>&1 | filecheck %s

void window(int h, int w, int r, const unsigned char *restrict in, unsigned char *restrict out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int s = 0, n = 0;
      for (int k = x - r; k <= x + r; k++)
        if (k >= 0 && k < w) { s += in[y * w + k]; n++; }
      out[y * w + x] = s / n;
    }
}

void product(int n, int m, const float *restrict a, const float *restrict x, float *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[i] += a[i * m + j] * x[j];
}

// CHECK:     short-windows.c:6:{{.*}} where the innermost loop goes less far than {{.*}}, the code runs as it was written
// CHECK-NOT: where the innermost loop
