// Searches as people write them: the choice of the half, and nothing else, is said to be unpredictable.
// RUN: polyopt-cc --cache=off --emit=llvm %s | filecheck %s

int lower(const int *a, int n, int x) {
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (a[mid] < x)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

// CHECK-LABEL: define {{.*}} @lower
// CHECK-COUNT-1: !unpredictable
// CHECK-NOT:   !unpredictable

int found(const int *a, int n, int x) {
  int lo = 0, hi = n - 1;
  while (lo <= hi) {
    int mid = (lo + hi) >> 1;
    if (a[mid] == x)
      return mid;
    if (a[mid] < x)
      lo = mid + 1;
    else
      hi = mid - 1;
  }
  return -1;
}

// CHECK-LABEL: define {{.*}} @found
// CHECK-COUNT-1: !unpredictable
// CHECK-NOT:   !unpredictable

unsigned long by_length(const double *a, unsigned long n, double x) {
  const double *first = a;
  while (n > 0) {
    unsigned long half = n / 2;
    if (first[half] < x) {
      first += half + 1;
      n -= half + 1;
    } else
      n = half;
  }
  return first - a;
}

// CHECK-LABEL: define {{.*}} @by_length
// CHECK-COUNT-1: !unpredictable
// CHECK-NOT:   !unpredictable

double root(double x) {
  double lo = 0, hi = x + 1;
  for (int i = 0; i < 60; i++) {
    double mid = (lo + hi) * 0.5;
    if (mid * mid < x)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

// Numbers of floating point are halved by a product, which is a division.
// CHECK-LABEL: define {{.*}} @root
// CHECK:       !unpredictable

void sifted(int *heap, int i) {
  while (i > 0) {
    int above = (i - 1) / 2;
    if (heap[above] >= heap[i])
      break;
    int old = heap[above];
    heap[above] = heap[i];
    heap[i] = old;
    i = above;
  }
}

// CHECK-LABEL: define {{.*}} @sifted
// CHECK-NOT:   !unpredictable

int greatest(const int *a, int n) {
  int m = a[0];
  for (int step = n; step > 0; step /= 2)
    if (a[step - 1] > m)
      m = a[step - 1];
  return m;
}

// CHECK-LABEL: define {{.*}} @greatest
// CHECK-NOT:   !unpredictable
