/* Products, quotients, sums and questions of all pairs of zeros, numbers, infinities and NaNs: a line
   for each pair of a checksum, in which all NaN count as one. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static unsigned long sum;
static void note(double x) {
    unsigned long bits;
    if (x != x) x = 12345;
    memcpy(&bits, &x, 8);
    sum = (sum ^ bits) * 1099511628211UL;
    sum ^= sum >> 31;
}
#define TESTS(R, NAME)                                                                             \
    static void NAME##_note(R complex z) { note(__real__ z); note(__imag__ z); }                   \
    static void NAME(void) {                                                                       \
        static const R v[] = {0, -0.0, 1, -2.5, INFINITY, -INFINITY, NAN, 1e38, -1e-38};           \
        enum { n = sizeof v / sizeof *v };                                                         \
        for (int i = 0; i < n * n; i++) {                                                          \
            volatile R complex va = __builtin_complex(v[i / n], v[i % n]);                         \
            R complex a = va;                                                                      \
            for (int j = 0; j < n * n; j++) {                                                      \
                volatile R complex vb = __builtin_complex(v[j / n], v[j % n]);                     \
                R complex b = vb;                                                                  \
                NAME##_note(a * b);                                                                \
                NAME##_note(a / b);                                                                \
                NAME##_note(a + b);                                                                \
                NAME##_note(a - conj(b));                                                          \
                NAME##_note(__real__ a * b);                                                       \
                NAME##_note(__real__ a / b);                                                       \
                NAME##_note(a / __imag__ b);                                                       \
                NAME##_note(__imag__ a - b);                                                       \
                note((a == b) + 2 * (a != b) + 4 * !a + 8 * (a && b) + 16 * (_Bool)b);             \
            }                                                                                      \
            printf(#NAME " %d %lx\n", i, sum);                                                     \
        }                                                                                          \
    }
TESTS(float, single)
TESTS(double, twice)
TESTS(long double, extended)

int main(void) {
    single();
    twice();
    extended();
    return 0;
}
