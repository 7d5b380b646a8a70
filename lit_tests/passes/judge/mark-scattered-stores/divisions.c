// Divisions in lanes pay for what is taken apart and put together one by one, but not for vectors that
// are scattered, and a member that is read twice is put together once.
// RUN: polyopt-cc -O3 -march=x86-64-v3 --print-after=mark-scattered-stores -c %s -o %t.o 2>&1 | filecheck %s --check-prefix NARROW
// RUN: polyopt-cc -O3 -march=x86-64-v4 --print-after=mark-scattered-stores -c %s -o %t.o 2>&1 | filecheck %s --check-prefix WIDE

typedef struct { double x, y, vx, vy, m; } body;

// NARROW-LABEL: func.func @pulled
// NARROW-NOT:   cmem.no_vector
// WIDE-LABEL:   func.func @pulled
// WIDE:         cmem.no_vector
void pulled(int n, body *p) {
  for (int i = 0; i < n; i++) {
    p[i].vx += 0.01 * (-p[i].x / p[i].m);
    p[i].vy += 0.01 * (-p[i].y / p[i].m);
    p[i].x += 0.01 * p[i].vx;
    p[i].y += 0.01 * p[i].vy;
  }
}

// NARROW-LABEL: func.func @moved
// NARROW:       cmem.no_vector
// WIDE-LABEL:   func.func @moved
// WIDE:         cmem.no_vector
void moved(int n, body *p) {
  for (int i = 0; i < n; i++) {
    p[i].x += 0.01 * p[i].vx;
    p[i].y += 0.01 * p[i].vy;
  }
}
