// RUN: polyopt-cc -O3 -ffast-math -fparallel=2 --remarks -c %s -o %t.o 2>&1 | filecheck %s

// A sum of long doubles stays in one thread: copies begin with a constant, and there are none of that type.

long double sum(const double *a) {
  long double s = 0;
  for (int i = 0; i < 1000000; i++)
    s += a[i];
  return s;
}
// CHECK: missed: loop i in one thread: threads can have no copies of s to add up in
// CHECK-NOT: in threads
