/* <tgmath.h> of complex numbers: the function is that of the argument's type. */
#include <stdio.h>
#include <tgmath.h>

#define KIND(x)                                                                                    \
    _Generic((x), float complex: "fc", double complex: "dc", long double complex: "lc",             \
             double: "d", float: "f", long double: "l", default: "?")
static void show(const char *kind, double complex z)
{
    printf("%s %g %g\n", kind, creal(z), cimag(z));
}
#define SHOW(x) show(KIND(x), x)

int main(void)
{
    double complex z = 3.0 + 4.0 * I;
    float complex f = -4.0f;
    long double complex l = 3.0L + 4.0L * I;
    SHOW(sqrt(f));
    SHOW(sqrt(4.0f));
    SHOW(sqrt(16));
    SHOW(exp(0 * z));
    SHOW(exp(0.0L));
    SHOW(fabs(z));
    SHOW(fabs(f));
    SHOW(fabs(l));
    SHOW(fabs(-1.0f));
    SHOW(conj(f));
    SHOW(conj(l));
    SHOW(creal(z));
    SHOW(cimag(l));
    SHOW(cimag(2.0f));
    SHOW(creal(2));
    SHOW(carg(f * -1));
    SHOW(cproj(z));
    SHOW(sin(f * 0));
    SHOW(log(f / f));
    SHOW(pow(z * 0 + 1, 2.0f));
    SHOW(pow(2.0f, 3.0f));
    SHOW(pow(2, 3.0L));
    SHOW(cbrt(8.0f));
    return 0;
}
