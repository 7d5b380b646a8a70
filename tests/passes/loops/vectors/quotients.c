/* Quotients and rests of integers by what is not known, for all lengths around those of vectors:
   values at the ends of each type, and next to multiples of the divisor, where rounding would tell. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

enum { MOST = 4000 };
#define LOOP for (int i = 0; i < n; i++)
#define KIND(T, NAME) \
  static void NAME##_both(int n, const T *restrict a, const T *restrict b, T *restrict o) { LOOP o[i] = a[i] / b[i] * 3 + a[i] % b[i]; } \
  static void NAME##_some(int n, const T *restrict a, const T *restrict b, T *restrict o) { LOOP o[i] = b[i] ? a[i] / b[i] : -1; }
KIND(int, i32) KIND(unsigned, u32) KIND(uint16_t, u16) KIND(int8_t, i8)

/* By constants, of 64 bits: below and above where one estimate does, and at the ends. */
#define BY(T, c) \
  static void T##_by_##c(int n, const T *restrict a, T *restrict o) { LOOP o[i] = a[i] / c * 3 + a[i] % c; }
#define EACH(X) X(int64_t, 1000000007) X(uint64_t, 16385) X(int64_t, 16381) X(uint64_t, 3) X(int64_t, 4611686018427387903)
EACH(BY)

static void mean(int n, const uint8_t *restrict a, const uint8_t *restrict b, int *restrict o) {
  LOOP o[i] = (a[i] * 255 * 128 + b[i]) / (b[i] + 1);
}
static void wide(int n, const uint16_t *restrict a, const uint8_t *restrict b, unsigned *restrict o) {
  LOOP o[i] = (a[i] * 65537u) / (b[i] + 1u);
}

static uint64_t state = 12345;
static uint64_t next(void) { return (state = state * 6364136223846793005u + 1442695040888963407u) >> 20; }
static uint64_t hash(const void *p, long bytes) {
  uint64_t h = 1469598103934665603u;
  for (long k = 0; k < bytes; k++) h = (h ^ ((const uint8_t *)p)[k]) * 1099511628211u;
  return h;
}

#define FILL(T, LEAST, GREATEST) \
  static const T ends[] = {LEAST, LEAST + 1, GREATEST, GREATEST - 1, 0, 1, 2, 3, 7, 100}; \
  for (int i = 0; i < MOST; i++) { \
    T d = i % 7 == 0 ? ends[next() % 10] : (T)(next() >> next() % 40); \
    T q = (T)(next() >> next() % 40); \
    a[i] = i % 5 == 0 ? ends[next() % 10] : (T)(d * q) + (T)(next() % 3) - 1; \
    z[i] = d; \
    b[i] = d == 0 || (a[i] == LEAST && d == (T)-1) ? 1 : d; \
    if (a[i] == LEAST && d == (T)-1) z[i] = 0; \
  }
#define TRY(T, NAME, LEAST, GREATEST) { \
    static T a[MOST], b[MOST], z[MOST], o[2][MOST]; \
    FILL(T, LEAST, GREATEST) \
    for (int n = 0; n <= MOST; n += n < 70 ? 1 : 1965) { \
      NAME##_both(n, a, b, o[0]); NAME##_some(n, a, z, o[1]); \
      printf(#NAME " %d %016llx\n", n, (unsigned long long)hash(o, sizeof o)); \
    } }

/* Next to multiples of the divisor, of both signs, and anywhere. */
static void fill_around(uint64_t by, uint64_t *a) {
  for (int i = 0; i < MOST; i++) {
    uint64_t any = next() << next() % 64, near = any / by * by + next() % 3 - 1;
    a[i] = i % 3 == 0 ? any : i % 3 == 1 ? near : 0 - near;
  }
  uint64_t ends[] = {0, INT64_MAX, INT64_MIN, UINT64_MAX, UINT64_MAX / by * by, UINT64_MAX / by * by - 1, by, 0 - by};
  for (int i = 0; i < 8; i++) a[7 * i + 3] = ends[i];
}
#define AROUND(T, c) { \
    static uint64_t a[MOST], o[MOST]; \
    for (int n = 0; n <= MOST; n += n < 30 ? 1 : 1985) { \
      fill_around(c, a); T##_by_##c(n, (T *)a, (T *)o); \
      printf(#T #c " %d %016llx\n", n, (unsigned long long)hash(o, sizeof o)); \
    } }

int main(void) {
  EACH(AROUND)
  TRY(int, i32, INT_MIN, INT_MAX) TRY(unsigned, u32, 0u, UINT_MAX)
  TRY(uint16_t, u16, 0, USHRT_MAX) TRY(int8_t, i8, SCHAR_MIN, SCHAR_MAX)
  static uint8_t bytes[65536], others[65536];
  static uint16_t shorts[65536];
  static int o[65536];
  for (int i = 0; i < 65536; i++) { bytes[i] = i; others[i] = i >> 8; shorts[i] = 65535 - i * 7; }
  mean(65536, bytes, others, o);
  printf("%016llx\n", (unsigned long long)hash(o, sizeof o));
  wide(65536, shorts, others, (unsigned *)o);
  printf("%016llx\n", (unsigned long long)hash(o, sizeof o));
  return 0;
}
