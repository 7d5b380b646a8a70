/* Names of <math.h> that mean the function of their arguments' type. */
#include <tgmath.h>
#include <stdio.h>
#define TYPE(x) _Generic((x), float: "float", double: "double", long double: "long double", int: "int", long: "long")
int main(void) {
    float f = 0.3f; double d = 0.3; long double l = 0.3L; int i = 2;
    printf("%s %s %s %s\n", TYPE(sin(f)), TYPE(sin(d)), TYPE(sin(l)), TYPE(sin(i)));
    printf("%s %s %s %s\n", TYPE(pow(f, f)), TYPE(pow(f, d)), TYPE(pow(f, i)), TYPE(fmin(l, f)));
    printf("%s %s %s\n", TYPE(fma(f, f, f)), TYPE(fma(f, f, i)), TYPE(ldexp(f, i)));
    printf("%s %s %s\n", TYPE(lround(f)), TYPE(ilogb(d)), TYPE(sqrt(sqrt(f))));
    int e; float m = frexp(f, &e);
    printf("%.9g %.17g %.20Lg %.17g %d %.9g\n", exp(f), exp(d), exp(l), exp(i), e, m);
    printf("%.9g %.17g %.9g %.17g\n", hypot(f, f), hypot(f, d), sqrt(fabs(-f)), atan2(i, f));
    double (*known)(double) = sin;
    printf("%.17g\n", known(d));
}
