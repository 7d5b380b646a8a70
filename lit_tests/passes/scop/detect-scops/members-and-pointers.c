// The product of two members of a struct is a parameter of a loop, be they read in its condition or in front of it;
// what the loop itself finds in memory is not. A pointer that is read from a struct is not based on the struct's own,
// where that is 'restrict': nothing is asked when the loops run, unless somebody has been given that pointer. Nor is
// it of what types tell apart (types-apart.c).
//
// RUN: polyopt-opt %s -p 'promote-scalars,clean-values,simplify-loops,detect-scops' --remarks 2>&1 >/dev/null | filecheck %s

typedef struct { int w, h; double *pixels; } picture;

// CHECK: members-and-pointers.c:{{[0-9]+:[0-9]+}}: analysis: static control part: 1 statement, 2 arrays, loops nested 1 deep [detect-scops]
void in_the_condition(picture *restrict im, const double *restrict t) {
  for (int i = 0; i < im->w * im->h; i++) im->pixels[i] *= t[i];
}

// CHECK: members-and-pointers.c:{{[0-9]+:[0-9]+}}: analysis: static control part: 1 statement, 1 array, loops nested 1 deep [detect-scops]
void in_front(const int *size, double *restrict x) {
  int w = size[0], h = size[1];
  for (int i = 0; i < w * h; i++) x[i] *= 2;
}

// CHECK: members-and-pointers.c:{{[0-9]+:[0-9]+}}: missed: the loop's condition is no sum of loop variables: it contains a value that is read from memory
void found_by_the_loop(const int *restrict size, double *restrict x) {
  for (int i = 0; i < size[i] * size[i + 1]; i++) x[i] *= 2;
}

// CHECK: members-and-pointers.c:{{[0-9]+:[0-9]+}}: analysis: behind a run-time check that 't' and 'im->pixels' do not overlap
void without_a_promise(picture *im, const double *t) {
  for (int i = 0; i < im->w * im->h; i++) im->pixels[i] *= t[i];
}

typedef struct { double scale, *pixels; } scaled;
scaled *kept;

// CHECK: members-and-pointers.c:{{[0-9]+:[0-9]+}}: analysis: behind a run-time check that {{.*}} do not overlap
void given_to_somebody(scaled *restrict im, int n) {
  kept = im;
  for (int i = 0; i < n; i++) im->pixels[i] += im->scale;
}

// CHECK: members-and-pointers.c:{{[0-9]+:[0-9]+}}: analysis: behind a run-time check that 'a' and 'rows[…]' do not overlap
void by_rows(int n, double **rows, const double *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) rows[i][j] = a[j];
}

// CHECK: members-and-pointers.c:{{[0-9]+:[0-9]+}}: analysis: behind a run-time check that '*p' and 'p' do not overlap
void through_a_pointer(int n, char **p) {
  for (int i = 1; i < n; i++) (*p)[i] += (*p)[i - 1];
}

// CHECK: members-and-pointers.c:{{[0-9]+:[0-9]+}}: missed: the call of malloc is for the heap as it is then: get all memory in front of the loops
void *malloc(unsigned long);
void memory(int n, void **p) {
  for (int i = 0; i < n; i++) p[i] = malloc(8);
}
