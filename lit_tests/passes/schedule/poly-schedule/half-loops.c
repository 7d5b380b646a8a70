// Where an outer loop goes in steps and an inner one over the first half of each, the inner iterator
// alone says where both are: a loop over it would run nothing half of the time, and so would the outer
// loop inside of it. Both loops stay, in their order.
// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffast-math --emit=affine %s -o - | filecheck %s

float a[16384], b[16384];

// CHECK-LABEL: func.func @one
// CHECK:         affine.for %[[I:.*]] = 0 to
// CHECK-NEXT:      affine.for %{{.*}} = affine_map<(d0) -> ((d0 * 8))>(%[[I]]) to affine_map<(d0) -> (((d0 * 8) + 4))>(%[[I]]) {
// CHECK-NEXT:        affine.load
// CHECK:         return
void one(int n) {
  for (int i = 0; i < n; i += 8)
    for (int j = i; j < i + 4; j++) {
      float x = a[j], y = a[j + 4];
      a[j] = x + y;
      a[j + 4] = x - y;
    }
}

// CHECK-LABEL: func.func @two
// CHECK:         affine.for %[[I:.*]] = 0 to
// CHECK-NEXT:      affine.for %{{.*}} = affine_map<(d0) -> ((d0 * 4))>(%[[I]]) to affine_map<(d0) -> (((d0 * 4) + 2))>(%[[I]]) {
// CHECK-NEXT:        affine.load
// CHECK:         affine.for %[[K:.*]] = 0 to
// CHECK-NEXT:      affine.for %{{.*}} = affine_map<(d0) -> ((d0 * 8))>(%[[K]]) to affine_map<(d0) -> (((d0 * 8) + 4))>(%[[K]]) {
// CHECK-NEXT:        affine.load
// CHECK:         return
void two(int n) {
  for (int i = 0; i < n; i += 4)
    for (int j = i; j < i + 2; j++) {
      float x = a[j], y = a[j + 2];
      a[j] = x + y;
      a[j + 2] = x - y;
    }
  for (int i = 0; i < n; i += 8)
    for (int j = i; j < i + 4; j++) {
      float x = a[j], y = a[j + 4];
      a[j] = x + y;
      a[j + 4] = x - y;
    }
}

// Tiles by hand that leave nothing out may be one loop.
// CHECK-LABEL: func.func @whole
// CHECK:         affine.for
// CHECK-NOT:       affine.for
// CHECK:           affine.store
// CHECK:         return
void whole(int n) {
  for (int i = 0; i < n; i += 8)
    for (int j = i; j < (i + 8 < n ? i + 8 : n); j++)
      b[j] = a[j] * 2;
}
