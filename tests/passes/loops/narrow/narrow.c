/* Integers wider than their elements: prints a hash of the results for all pairs of bytes, and for
   shorts at the ends of their range. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define N (256 * 256)
static uint8_t a[N], b[N], out[N];
static int8_t s[N], t[N], signed_out[N];
static int16_t p[N], q[N], short_out[N];
static uint16_t u[N], v[N], wide_out[N];
static const int weights[3] = {3, -5, 77};
int limit = 100, far = 70000;

void mean(int n) { for (int i = 0; i < n; i++) out[i] = (a[i] + b[i] + 1) >> 1; }
void blend(int n) { for (int i = 0; i < n; i++) out[i] = (a[i] * b[i] + 3 * (255 - b[i]) + 127) / 255; }
void greatest(int n) { for (int i = 0; i < n; i++) out[i] = a[i] > b[i] ? a[i] : b[i]; }
void distance(int n) { for (int i = 0; i < n; i++) out[i] = abs(a[i] - b[i]); }
void sign_of(int n) { for (int i = 0; i < n; i++) signed_out[i] = (s[i] > t[i]) - (s[i] < t[i]); }
void chroma(int n) { for (int i = 0; i < n; i++) out[i] = ((-43 * a[i] - 85 * b[i] + 128 * 255 + 128) >> 8) + 128; }
void high_part(int n) { for (int i = 0; i < n; i++) out[i] = (77 * a[i] + 178 * b[i] + 128) >> 8; }
void weighted(int n) { for (int i = 0; i < n; i++) short_out[i] = weights[0] * a[i] + weights[1] * b[i]; }
void remainders(int n) { for (int i = 0; i < n; i++) out[i] = (a[i] + b[i]) % 10 + (s[i] % 7); }
void by_threes(int n) { for (int i = 0; i < n; i++) signed_out[i] = (s[i] + t[i]) / 3; }
void saturated(int n) {
  for (int i = 0; i < n; i++) {
    int x = p[i] + q[i];
    short_out[i] = x > 32767 ? 32767 : x < -32768 ? -32768 : x;
  }
}
void clipped(int n) { for (int i = 0; i < n; i++) { int x = 2 * s[i] - t[i]; out[i] = x < 0 ? 0 : x > 255 ? 255 : x; } }
void bits(int n) { for (int i = 0; i < n; i++) out[i] = ((a[i] << 3) ^ (b[i] >> 2)) & ~0x11; }
void threshold(int n) { int l = limit; for (int i = 0; i < n; i++) { int x = b[i]; out[i] = a[i] > l ? 255 : a[i] <= l / 2 ? 7 : x; } }
void far_threshold(int n) { int f = far; for (int i = 0; i < n; i++) out[i] = (a[i] < f) + 2 * (b[i] >= -f) + 4 * (a[i] == f + 5); }
void unsigned_shift(int n) { for (int i = 0; i < n; i++) out[i] = (unsigned)(s[i] - t[i]) >> 3; }
void far_shift(int n) { for (int i = 0; i < n; i++) out[i] = (a[i] * b[i] * 250) >> 20; }
void shorts(int n) { for (int i = 0; i < n; i++) wide_out[i] = (u[i] * 3u + v[i]) >> 2; }
void products(int n) { for (int i = 0; i < n; i++) short_out[i] = (p[i] * q[i] + 16384) >> 15; }
void shifted_by(int n) { for (int i = 0; i < n; i++) out[i] = a[i] << (b[i] & 31); }
void compared(int n) { for (int i = 0; i < n; i++) out[i] = (unsigned)(a[i] - b[i]) < 5u; }
void rotated(int n) { for (int i = 0; i < n; i++) { int8_t c = s[i]; signed_out[i] = c >= 'a' && c <= 'z' ? (c - 'a' + 13) % 26 + 'a' : c - 90 > 37 ? 3 : c; } }
void far_moved(int n) { for (int i = 0; i < n; i++) out[i] = a[i] - b[i] - 200 >= -1000 ? a[i] : b[i] + 2147483000 < 2147483100 ? 5 : 6; }
/* Half of it in halves of the widest values: 16 lanes of 64 bits with AVX-512. */
void requantised(int n) {
  for (int i = 0; i < n; i++) {
    int x = (int)((p[i] * q[i]) * 3000000007L >> 38) + 90;
    out[i] = x < 0 ? 0 : x > 255 ? 255 : x;
  }
}

static const struct {
  const char *name;
  void (*run)(int);
} all[] = {
  {"mean", mean}, {"blend", blend}, {"greatest", greatest}, {"distance", distance},
  {"sign_of", sign_of}, {"chroma", chroma}, {"high_part", high_part}, {"weighted", weighted},
  {"remainders", remainders}, {"by_threes", by_threes}, {"saturated", saturated},
  {"clipped", clipped}, {"bits", bits}, {"threshold", threshold}, {"far_threshold", far_threshold},
  {"unsigned_shift", unsigned_shift}, {"far_shift", far_shift}, {"shorts", shorts},
  {"products", products}, {"shifted_by", shifted_by}, {"compared", compared},
  {"rotated", rotated}, {"far_moved", far_moved},
  {"requantised", requantised},
};

static unsigned long mixed(unsigned long hash, const void *bytes, int n) {
  for (int i = 0; i < n; i++) hash = (hash ^ ((const uint8_t *)bytes)[i]) * 1099511628211UL;
  return hash;
}

int main(void) {
  for (int i = 0; i < N; i++) {
    a[i] = i, b[i] = i >> 8, s[i] = i, t[i] = i >> 8;
    p[i] = i * 40503, q[i] = i * 7 + 32760, u[i] = i * 9, v[i] = 65535 - i;
  }
  for (unsigned k = 0; k < sizeof all / sizeof *all; k++) {
    all[k].run(N - 3);
    unsigned long hash = mixed(14695981039346656037UL, out, sizeof out);
    hash = mixed(mixed(hash, signed_out, sizeof signed_out), short_out, sizeof short_out);
    printf("%s %lx\n", all[k].name, mixed(hash, wide_out, sizeof wide_out));
  }
  return 0;
}
