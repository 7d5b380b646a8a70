// Sums in any order over records: vectors along them would have to be picked out of several, member by member;
// iterations of the loop around, in lanes, share each member as it lies. Vectors along columns are
// not picked out of anything, and stay.
// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffast-math --remarks -c %s -o %t.o 2>&1 | filecheck %s

// CHECK:      applied: 16 iterations of i in lanes [affine-lanes]
// CHECK-NOT:  in lanes

float sqrtf(float);
typedef struct {
  float x, y, z, m;
} body;

void pulls(const body *restrict b, float *restrict out, int n) {
  for (int i = 0; i < n; i++) {
    float sx = 0, sy = 0, sz = 0;
    for (int j = 0; j < n; j++) {
      float x = b[j].x - b[i].x, y = b[j].y - b[i].y, z = b[j].z - b[i].z;
      float near = 1.0f / sqrtf(x * x + y * y + z * z + 0.01f), pull = b[j].m * near * near * near;
      sx += x * pull;
      sy += y * pull;
      sz += z * pull;
    }
    out[3 * i] = sx;
    out[3 * i + 1] = sy;
    out[3 * i + 2] = sz;
  }
}

void products(const float *restrict a, const float *restrict b, float *restrict out, int n) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < n; j++)
      sum += a[i + j] * b[j];
    out[2 * i] = sum;
  }
}
