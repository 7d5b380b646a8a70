/* Complex numbers in all places where C has values: objects, arguments, results, conversions, operators. */
#include <complex.h>
#include <stdio.h>
#include <stdarg.h>
#include <math.h>
#include <stddef.h>
typedef double complex C;
struct S { int tag; C z; float complex f; char c; };
struct P { float complex f; };
union U { C z; double d[2]; };
static void show(const char *w, C z) { printf("%s %a %a\n", w, creal(z), cimag(z)); }
static void showf(const char *w, float complex z) { printf("%s %a %a\n", w, crealf(z), cimagf(z)); }
static void showl(const char *w, long double complex z) { printf("%s %La %La\n", w, creall(z), cimagl(z)); }
C global = 3.0 - 4.0*I;
static const C table[3] = { 1, 2.5*I, CMPLX(-0.0, INFINITY) };
static float complex ft[2][2] = { {1.0f, I}, {2.0f + 3.0f*I} };
long double complex lg = 0.1L + 1e300L*I;
struct S gs = { .tag = 3, .z = 1.0 + 2.0*I, .f = 3.0f*I, .c = 'x' };
volatile C vol = 1.0 + 1.0*I;
C *ptr = &global;
double *pim;
C sum(int n, ...) {
  va_list ap; va_start(ap, n); C s = 0;
  for (int i = 0; i < n; i++) {
    s += va_arg(ap, C);
    s += va_arg(ap, float complex);
    s += va_arg(ap, int);
    s += va_arg(ap, long double complex);
  }
  va_end(ap); return s;
}
C many(C a, C b, C c, C d, C e, C f) { return a + 2*b + 3*c + 4*d + 5*e - f; }
float complex manyf(float complex a, double x, float complex b, float complex c, C d, int k,
                    float complex e, C f, C g, float complex h) {
  return a + x*b - c + d*k + e*f - g/h;
}
long double complex manyl(int k, long double complex a, long double x, long double complex b) {
  return a*x + b - k;
}
struct S bys(struct S s, C z) { s.z *= z; s.f += z; s.tag++; return s; }
struct P byp(struct P p) { p.f *= 2.0f*I; return p; }
C knr(a, b) C a; float complex b; { return a - b; }
void vla(int n, C a[n][n], C *out) {
  C t[n];
  for (int i = 0; i < n; i++) {
    t[i] = 0;
    for (int j = 0; j < n; j++) t[i] += a[i][j] * a[j][i];
    out[i] = t[i];
  }
}
C choose(int k, C a, C b) { return k ? a : b; }
C choose2(int k, double a, C b) { return k > 1 ? a : k ? b * 2 : 1.0f*I; }
int counter; C *next(C *p) { counter++; return p; }
C rec(int n, C z) { return n == 0 ? z : rec(n - 1, z * z + 0.25); }
#define KIND(x)                                                                                    \
  _Generic((x), float complex: "fc", double complex: "dc", long double complex: "lc", double: "d",  \
           float: "f", default: "?")
int main(void) {
  show("global", global); show("t0", table[0]); show("t1", table[1]); show("t2", table[2]);
  for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) showf("ft", ft[i][j]);
  showl("lg", lg);
  show("gs", gs.z);
  showf("gsf", gs.f);
  printf("%d %c %zu %zu %zu\n", gs.tag, gs.c, sizeof gs, offsetof(struct S, z), _Alignof(C));
  show("vol", vol); vol *= 2; vol = vol + vol; show("vol", vol); __real__ vol = 9; show("vol", vol);
  pim = &__imag__ global; show("ptr", *ptr); *ptr += 1; (*ptr)++; --*ptr; *pim = 8; show("ptr", ptr[0]);
  show("sum", sum(3, global, 1.0f + 2.0f*I, 4, 1.0L*I, 2.0*I, (float complex)3, -1, lg, (C)7,
                  (float complex)(1.5*I), 100, (long double complex)2));
  show("many", many(1, I, 2.0*I, 3 - I, 4, 5.0 + 6.0*I));
  showf("manyf", manyf(1, 2.5, I, 2.0f*I, 3 - I, 4, 5.0f + 6.0f*I, 7, 8.0*I, 9.0f - I));
  showl("manyl", manyl(3, 1 + I, 2.0L, 3.0L*I));
  struct S r = bys(gs, 2.0*I); show("bys", r.z); showf("bysf", r.f); printf("%d\n", r.tag);
  show("inline", bys(gs, 1).z); printf("%a\n", __imag__ bys(gs, I).z);
  struct P p = byp((struct P){ 1.0f + 1.0f*I }); showf("byp", p.f);
  union U u; u.z = 1.0 - 2.0*I; printf("%a %a\n", u.d[0], u.d[1]); u.d[0] = 5; show("u", u.z);
  show("knr", knr(2.0 + I, 1.0f*I));
  C m[3][3], o[3]; for (int i = 0; i < 9; i++) m[i/3][i%3] = i + (i - 4)*I;
  vla(3, m, o); for (int i = 0; i < 3; i++) show("vla", o[i]);
  show("c1", choose(1, 1, I)); show("c0", choose(0, 1, I)); for (int k = 0; k < 3; k++) show("c2", choose2(k, 4, 3.0*I));
  C q[3] = { 1, 2 };
  C *w = q;
  *w++ = I;
  *w++ *= 2.0 + I;
  *next(w) += 3.0*I;
  show("q", q[0]);
  show("q", q[1]);
  show("q", q[2]);
  printf("%d %td\n", counter, w - q);
  show("rec", rec(5, 0.1 + 0.3*I));
  printf("%s %s %s %s %s %s\n", KIND(1.0f*I), KIND(1.0*I), KIND(1.0L*I), KIND(__real__ global), KIND(I), KIND(I + 1.0));
  double d = global;
  float fl = global;
  int in = global;
  _Bool bo = 0.0 + 2.0*I;
  C back = d;
  float complex fc = global;
  printf("%a %a %d %d\n", d, fl, in, bo);
  show("back", back);
  showf("fc", fc);
  if (global) puts("true");
  if (!(0.0*global == 0)) puts("no");
  if (global == global && global != conj(global)) puts("eq");
  while (global) { global = 0; }
  C st = ({ C t = 2.0*I; t * t; }); show("stmt", st);
  C comma = (counter++, st + 1); show("comma", comma);
  C lit = *&(C){ 3.0*I }; show("lit", lit); show("neg", -lit); show("not", ~lit); show("plus", +lit);
  C e1 = st ?: 5; show("elvis", e1); C z0 = 0; show("elvis", z0 ?: 5);
  double dd = 3; dd *= 2.0 + I; dd += I; printf("%a\n", dd);
  static C stat = 4.0*I; stat += 1; show("stat", stat);
  C (*fp)(C, C, C, C, C, C) = many; show("fp", fp(1,2,3,4,5,6));
  show("csqrt", csqrt(-4.0));
  show("cexp", cexp(0.0));
  printf("%a %a\n", carg(-1.0 + 0.0*I), cabs(3.0 + 4.0*I));
  showl("lmul", (1.1L + 2.2L*I) * (3.3L - 4.4L*I)); showl("ldiv", (1.1L + lg) / (3.3L - 4.4L*I));
  show("bcmplx", __builtin_complex(-0.0, -0.0));
  show("mixed", 2 - global);
  show("mixed", 2 / (1.0 + I));
  show("mixed", (1.0+I) / 2);
  show("mixed", I - 2.0);
  show("m", 1.0i * 2.0);
  C arr[4] = { [1] = I, [3] = 2.0 }; for (int i = 0; i < 4; i++) show("arr", arr[i]);
  struct { C a[2]; int n; } agg = { { 1, I }, 3 }, agg2 = { 1, 2.0*I, 7 };
  show("agg", agg.a[1]);
  show("agg2", agg2.a[1]);
  agg2 = agg;
  show("agg2", agg2.a[1]);
  printf("%d\n", agg2.n);
  return 0;
}
