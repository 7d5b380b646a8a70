/* Floating point: float against double, infinities, NaN, conversions, the math library. */
#include <float.h>
#include <math.h>
#include <stdio.h>

static float sum_float(int n) {
    float s = 0;
    for (int i = 1; i <= n; i++) s += 1.0f / i;
    return s;
}
static double sum_double(int n) {
    double s = 0;
    for (int i = 1; i <= n; i++) s += 1.0 / i;
    return s;
}

int main(int argc, char **argv) {
    double one = argc, zero = argc - 1;
    printf("%a %a\n", sum_float(1000), sum_double(1000));
    float f = 0.1f;
    double d = 0.1;
    printf("%a %a\n", 1.000000178813934326171874999f, 1.000000178813934326171875f);
    printf("%a %a\n", 1.000000178813934326171875001f, -1.000000059604644775390625001f);
    printf("%a %a %a\n", 7.00649232162408535461864791644958e-46f, 1e-50f, 3.4028236e38f);
    printf("%d %d %a %a\n", f == d, f == 0.1f, f * f, (double)f * f);
    printf("%a %a %a\n", f + d, f * 3, f / 3);
    printf("%a %a\n", 1e-45f, 16777217.0f);
    printf("%a %a %a\n", 0x1.8p3, 1.e2, .5e-3f);
    double inf = one / zero, nan = zero * inf;
    printf("%g %g %d %d %d\n", inf, -inf, inf > DBL_MAX, nan == nan, nan != nan);
    printf("%d %d %d %d\n", nan < 1, nan > 1, nan <= nan, !(nan < 1));
    printf("%d %d %d\n", isnan(nan) != 0, isinf(inf) != 0, isfinite(one) != 0);
    printf("%g %g %d\n", INFINITY, -HUGE_VAL, NAN != NAN);
    printf("%d %d %g\n", -zero == 0.0, signbit(-zero) != 0, 1 / -zero);
    printf("%g %g %g\n", DBL_MAX, DBL_MIN, DBL_EPSILON);
    printf("%g %g\n", FLT_MAX, FLT_EPSILON);
    printf("%.15g %.15g %.15g\n", sqrt(2 * one), exp(one), log(2 + zero));
    printf("%.15g %.15g %.15g\n", sin(one), cos(one), tan(one));
    printf("%.15g %.15g %.15g\n", atan2(one, 2), pow(2, 0.5 * one), fabs(-one));
    printf("%g %g %g %g\n", floor(-2.5 * one), ceil(-2.5 * one), round(-2.5 * one), trunc(-2.5));
    printf("%g %g %g %g\n", fmax(one, 2), fmin(one, 2), fmod(7.5 * one, 2), fmax(nan, 3));
    printf("%.9g %.9g %.9g\n", sqrtf(2 * f), expf(f), powf(f, 3));
    printf("%g %g %ld\n", cbrt(27 * one), hypot(3 * one, 4), lround(2.5 * one));
    printf("%.15g %.15g %.15g\n", log10(one + 1), log2(one + 1), exp2(one / 2));
    printf("%.15g %.15g\n", M_PI, tanh(one / 2));
    printf("%g %g\n", fma(one, 2, 3), copysign(one, -2));
    int exponent;
    double fraction = frexp(12.5 * one, &exponent), whole;
    printf("%g %d %g", fraction, exponent, modf(3.75 * one, &whole));
    printf(" %g\n", whole);
    printf("%d %d %d\n", (int)1e9, (int)-0.9, (int)2.999999999);
    printf("%g %g\n", (double)(float)1e40, (double)(float)1e-50);
    unsigned long big = 1UL << 63;
    printf("%g %g %lu\n", (double)big, (float)(big + 1), (unsigned long)(double)big);
    if (one) printf("true ");
    if (!zero) printf("false ");
    if (nan) printf("nan ");
    printf("%d %d\n", one && zero, zero || nan);
    one++;
    --zero;
    printf("%g %g %g\n", one, zero, -one);
    return 0;
}
