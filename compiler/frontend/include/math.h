#ifndef _MATH_H
#define _MATH_H
typedef float float_t;
typedef double double_t;
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)
#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define math_errhandling 0
double acos(double);
float acosf(float);
double asin(double);
float asinf(float);
double atan(double);
float atanf(float);
double cos(double);
float cosf(float);
double sin(double);
float sinf(float);
double tan(double);
float tanf(float);
double acosh(double);
float acoshf(float);
double asinh(double);
float asinhf(float);
double atanh(double);
float atanhf(float);
double cosh(double);
float coshf(float);
double sinh(double);
float sinhf(float);
double tanh(double);
float tanhf(float);
double exp(double);
float expf(float);
double exp2(double);
float exp2f(float);
double expm1(double);
float expm1f(float);
double log(double);
float logf(float);
double log10(double);
float log10f(float);
double log1p(double);
float log1pf(float);
double log2(double);
float log2f(float);
double logb(double);
float logbf(float);
double cbrt(double);
float cbrtf(float);
double fabs(double);
float fabsf(float);
double sqrt(double);
float sqrtf(float);
double erf(double);
float erff(float);
double erfc(double);
float erfcf(float);
double lgamma(double);
float lgammaf(float);
double tgamma(double);
float tgammaf(float);
double ceil(double);
float ceilf(float);
double floor(double);
float floorf(float);
double nearbyint(double);
float nearbyintf(float);
double rint(double);
float rintf(float);
double round(double);
float roundf(float);
double trunc(double);
float truncf(float);
double atan2(double, double);
float atan2f(float, float);
double hypot(double, double);
float hypotf(float, float);
double pow(double, double);
float powf(float, float);
double fmod(double, double);
float fmodf(float, float);
double remainder(double, double);
float remainderf(float, float);
double copysign(double, double);
float copysignf(float, float);
double nextafter(double, double);
float nextafterf(float, float);
double fdim(double, double);
float fdimf(float, float);
double fmax(double, double);
float fmaxf(float, float);
double fmin(double, double);
float fminf(float, float);
double fma(double, double, double);
float fmaf(float, float, float);
double frexp(double, int *);
float frexpf(float, int *);
double ldexp(double, int);
float ldexpf(float, int);
double modf(double, double *);
float modff(float, float *);
double scalbn(double, int);
float scalbnf(float, int);
double scalbln(double, long);
int ilogb(double);
int ilogbf(float);
long lrint(double);
long lrintf(float);
long long llrint(double);
long lround(double);
long lroundf(float);
long long llround(double);
double nan(const char *);
float nanf(const char *);
double remquo(double, double, int *);
double j0(double);
double j1(double);
double y0(double);
double y1(double);
int __fpclassify(double);
int __fpclassifyf(float);
int __isnan(double);
int __isnanf(float);
int __isinf(double);
int __isinff(float);
int __finite(double);
int __finitef(float);
int __signbit(double);
int __signbitf(float);
#define fpclassify(x) (sizeof(x) == sizeof(float) ? __fpclassifyf(x) : __fpclassify(x))
#define isnan(x) (sizeof(x) == sizeof(float) ? __isnanf(x) : __isnan(x))
#define isinf(x) (sizeof(x) == sizeof(float) ? __isinff(x) : __isinf(x))
#define isfinite(x) (sizeof(x) == sizeof(float) ? __finitef(x) : __finite(x))
#define signbit(x) (sizeof(x) == sizeof(float) ? __signbitf(x) : __signbit(x))
#define isnormal(x) (fpclassify(x) == FP_NORMAL)
#define isgreater(x, y) ((x) > (y))
#define isgreaterequal(x, y) ((x) >= (y))
#define isless(x, y) ((x) < (y))
#define islessequal(x, y) ((x) <= (y))
#endif
