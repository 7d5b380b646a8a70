// RUN: polyopt-cc -fopenmp=libgomp -c %s -o %t.o 2>&1 | filecheck %s

// Nothing waits for the tasks before what they leave is read.

// CHECK:      tasks.c:13:13: warning: a task and what follows it race on 'x': nothing waits for the task
// CHECK:        hint: put '#pragma omp taskwait' in front of what follows
// CHECK-NEXT: tasks.c:14:3: note: the task writes x here
// CHECK:      tasks.c:17:10: note: what follows reads x here
// CHECK:      tasks.c:15:13: warning: a task and what follows it race on 'y'
int fib(int n) {
  int x, y;
  if (n < 2) return n;
#pragma omp task shared(x)
  x = fib(n - 1);
#pragma omp task shared(y)
  y = fib(n - 2);
  return x + y;
}

// CHECK:      tasks.c:28:13: warning: two tasks race on 'x'
// CHECK:        hint: add depend(inout: x) to both, or put '#pragma omp taskwait' between them
// CHECK-NOT:  warning
int twice(void) {
  int x = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(x)
    x = 1;
#pragma omp task shared(x)
    x = 2;
  }
  return x;
}

// A thread alone runs its tasks as it meets them.

int alone(void) {
  int x = 0;
#pragma omp task shared(x)
  x = 1;
  return x;
}

// Right, or not known to be wrong: what is waited for, is done at once, is the task's own, or comes
// in an order.

void use(int *p);

int right(int n, int c) {
  int x = 0, y = 0, z = 0, u = 0, w = 0;
#pragma omp parallel num_threads(c)
#pragma omp single
  {
#pragma omp task shared(x)
  x = n;
#pragma omp taskwait
  x++;
#pragma omp task shared(y) if (c)
  y = n;
  y++;
#pragma omp task firstprivate(z)
  z = n;
  z++;
#pragma omp taskgroup
  {
#pragma omp task shared(x) depend(out : x)
    x = 3;
#pragma omp task shared(x) depend(in : x)
    y = x;
  }
#pragma omp task shared(u)
  {
    use(&n);
    u = 4;
  }
#pragma omp task shared(w)
  {
    use(&n);
    w = 4;
  }
#pragma omp task shared(w)
  w = 5;
  z += 2;
  use(&z);
  }
  return x + y + z;
}
