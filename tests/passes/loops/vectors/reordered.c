/* Loops that carry something from one iteration to the next, where vectors keep the order of it if
   operations stand in another one, and where they cannot; stores that leave elements out; arms of
   conditions that change one element. For all numbers of iterations around the lengths of vectors,
   with a hash of all bytes after each. */
#include <stdint.h>
#include <stdio.h>

enum { MOST = 100, EXTRA = 8 };
typedef float real;

#define LOOP for (int i = EXTRA; i < n + EXTRA; i++)
#define ARGS int n, real *restrict a, real *restrict b, real *restrict c, real *restrict d
static void read_ahead(ARGS) { LOOP { a[i] *= c[i]; b[i] += a[i + 1] * d[i]; } }
static void node_split(ARGS) { LOOP { a[i] = b[i] * c[i]; b[i] = a[i] * a[i + 1] + d[i]; } }
static void written_ahead(ARGS) { LOOP { a[i] = b[i] + c[i] * d[i]; b[i] = c[i] - b[i]; a[i + 1] = b[i] + a[i + 1] * d[i]; } }
static void read_behind(ARGS) { LOOP { a[i] = b[i - 1] + c[i]; b[i] = a[i + 1] * d[i]; } }
static void both_ways(ARGS) { LOOP { a[i] = b[i - 3] + c[i]; b[i] = b[i + 2] - d[i]; } }
static void through_a_scalar(ARGS) { real t; LOOP { t = a[i] + b[i]; a[i] = t + c[i - 1]; t = c[i] * d[i]; c[i] = t; } }
static void from_other_arm(ARGS) { LOOP { if (b[i] < .4f) c[i + 1] = a[i] + d[i] * d[i]; else a[i] = c[i] + d[i]; } }
static void arms_ahead(ARGS) { LOOP { if (b[i] < .4f) c[i] = a[i + 1] + d[i] * d[i]; else a[i] = c[i] + d[i]; } }
static void arms_in_a_ring(ARGS) { LOOP { if (b[i] < .4f) c[i + 1] = a[i] + d[i]; else a[i + 1] = c[i] - d[i]; } }
static void ring(ARGS) { LOOP { a[i] = b[i - 1] + c[i]; b[i] = a[i] * d[i]; } }
static void far_ring(ARGS) { LOOP { a[i] = b[i - 7] + c[i]; b[i] = a[i] * d[i]; } }
static void crossing(ARGS) { LOOP { a[i] = c[i] + 1; b[n + 2 * EXTRA - i] = a[n + 2 * EXTRA - i] * d[i]; } }
static void two_stores(ARGS) { LOOP { a[i + 2] = b[i]; a[i] = c[i] + d[i]; } }
static void backward(ARGS) { for (int i = n + EXTRA; i > EXTRA; i--) { a[i] = b[i + 1] + c[i]; b[i] = a[i - 1] * d[i]; } }
static void every_second(ARGS) { for (int i = EXTRA; i < n + EXTRA; i += 2) a[i + 1] = a[i] + b[i]; }
static void one_of_three(ARGS) { for (int i = 0; i < n / 3; i++) a[3 * i + EXTRA + 2] = b[i] - a[3 * i + EXTRA]; }
static void packed_first(ARGS) { for (int i = 0; i < n / 2; i++) { c[i] = b[2 * i] - d[i]; b[2 * i] = c[i] + a[2 * i + 1]; } }
static void one_place(ARGS) { LOOP { if (d[i] < .3f) a[i] += b[i] * c[i]; else if (d[i] < .6f) a[i] += b[i] * b[i]; else a[i] -= c[i]; } }
static void some_of_it(ARGS) { LOOP { if (d[i] < .5f) { a[i] += b[i]; if (c[i] > .5f) a[i] -= c[i]; } b[i] = a[i] * 2; } }
static void seldom(ARGS) { LOOP { if (d[i] < .01f) { a[i] += b[i] * c[i]; b[i] += c[i] * c[i]; } } }
static void in_stretches(ARGS) { LOOP { if (d[i / 40] < .5f) { a[i] -= b[i]; } else { c[i] = b[i] * a[i]; } } }
static void seldom_behind(ARGS) { LOOP { a[i] = b[i] + 1; if (d[i] < .05f) { c[i] += a[i]; a[i] = c[i] * b[i]; } } }

typedef void loop(ARGS);
static loop *const loops[] = {
  read_ahead, node_split, written_ahead, read_behind, both_ways, through_a_scalar, from_other_arm, arms_ahead,
  arms_in_a_ring, ring, far_ring,
  crossing, two_stores, backward, every_second, one_of_three, packed_first, one_place, some_of_it, seldom, in_stretches, seldom_behind,
};
static real memory[4][4 * MOST + 64];

int main(void) {
  for (int n = 0; n < MOST; n = n < 40 ? n + 1 : n + 7)
    for (unsigned k = 0; k < sizeof loops / sizeof *loops; k++) {
      unsigned state = 12345 + 977 * n + k;
      real *numbers = &memory[0][0];
      for (unsigned p = 0; p < sizeof memory / sizeof *numbers; p++) {
        state = state * 1664525u + 1013904223u;
        numbers[p] = (state >> 8) * 0x1p-24f;
      }
      loops[k](n, memory[0], memory[1], memory[2], memory[3]);
      uint64_t hash = 0;
      unsigned char *bytes = (unsigned char *)memory;
      for (unsigned p = 0; p < sizeof memory; p++) hash = (hash ^ bytes[p]) * 1099511628211u;
      printf("%d %u %llx\n", n, k, (unsigned long long)hash);
    }
  return 0;
}
