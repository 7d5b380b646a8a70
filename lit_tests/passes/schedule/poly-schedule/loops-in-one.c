// Where isl puts the loops of a chain through two variables into one, in which every iterator steps
// on by 15 or more, most of its iterations would run nothing: another order is asked for.
// RUN: polyopt-cc -O3 --emit=affine %s -o - | filecheck %s

float x[20000];
int y[20000];

// CHECK-LABEL: func.func @escapes
// CHECK:         affine.for %i{{.*}} = 0 to 20000
// CHECK:           affine.for %k{{.*}} = 0 to 16
// CHECK-NOT:       affine.if
// CHECK:         return
void escapes(void) {
  for (int i = 0; i < 20000; i++) {
    float a = 0;
    int c = 0;
    for (int k = 0; k < 16; k++) {
      a = a * a + x[i];
      if (a < 4)
        c++;
      else
        a = 0;
    }
    y[i] = c;
  }
}
