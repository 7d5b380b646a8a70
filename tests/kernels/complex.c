/* Complex numbers: a loop over them is one over pairs, whichever their precision. Among them are
   numbers that make gcc's products look for infinities. */

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define N 70

typedef double complex number;
typedef float complex single;
struct wave { number w[2]; double count; };

static number A[N][N], B[N][N], D[N][N], x[2 * N], y[2 * N];
static single fx[N], fy[N];
static double magnitude[N];
static struct wave waves[N];

static void axpy(int n, number a)
{
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}

static void axpy_single(int n, single a, const single *restrict u, single *restrict v)
{
    for (int i = 0; i < n; i++) v[i] += a * u[i];
}

static void dot(int n)
{
    number s = 0;
    for (int i = 0; i < n; i++) s += conj(x[i]) * y[i];
    x[N] = s;
}

static void product(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                D[i][j] += A[i][k] * B[k][j];
}

static void product_of_parameters(int n, number P[n][n], number Q[n][n], number R[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            number s = 0;
            for (int k = 0; k < n; k++) s += P[i][k] * Q[k][j];
            R[i][j] = s;
        }
}

static void butterfly(int n, number *restrict z, const number *restrict w)
{
    for (int i = 0; i < n; i++) {
        number t = w[i] * z[i + n];
        z[i + n] = z[i] - t;
        z[i] = z[i] + t;
    }
}

static void squares(int n)
{
    for (int i = 0; i < n; i++)
        magnitude[i] = creal(x[i]) * creal(x[i]) + cimag(x[i]) * cimag(x[i]);
}

static void stencil(int n)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            B[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
}

static void quotients(int n)
{
    for (int i = 0; i < n; i++) x[i] = x[i] / y[i];
}

static void filter(int n, int m)
{
    for (int i = 0; i < n; i++) {
        number s = 0;
        for (int j = 0; j < m; j++) s += A[0][j] * x[i + j];
        y[i] = s;
    }
}

static void turn(int n)
{
    for (int i = 0; i < n; i++) y[i] = conj(x[i]) + y[i] * I;
}

static void prefix(int n)
{
    for (int i = 1; i < n; i++) x[i] += x[i - 1] * (0.5 + 0.25 * I);
}

static void adjoint(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            number t = A[i][j];
            A[i][j] = conj(A[j][i]);
            A[j][i] = conj(t);
        }
}

static void choose(int n)
{
    for (int i = 0; i < n; i++)
        if (creal(x[i]) > 0) x[i] = -x[i];
        else x[i] += 1.0;
}

static void substitute(int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) x[i] -= A[i][j] * x[j];
        x[i] /= A[i][i];
    }
}

static void of_records(int n)
{
    for (int i = 0; i < n; i++) {
        waves[i].w[1] += waves[i].w[0] * y[i];
        waves[i].count++;
    }
}

static void parts(int n)
{
    for (int i = 0; i < n; i++) {
        __real__ x[i] += __imag__ y[i];
        __imag__ y[i] = i;
    }
}

static void show(void)
{
    unsigned long sum = 1;
    const void *all[] = {A, B, D, x, y, magnitude};
    const size_t sizes[] = {sizeof A, sizeof B, sizeof D, sizeof x, sizeof y, sizeof magnitude};
    for (int k = 0; k < 6; k++)
        for (size_t i = 0; i < sizes[k] / sizeof(double); i++) {
            double value = ((const double *)all[k])[i];
            unsigned long bits;
            if (value != value) value = 77;
            memcpy(&bits, &value, sizeof bits);
            sum = (sum ^ bits) * 1099511628211UL;
            sum ^= sum >> 29;
        }
    for (int i = 0; i < N; i++) {
        single z = fy[i];
        if (crealf(z) != crealf(z) || cimagf(z) != cimagf(z)) z = 77;
        printf("%a %a %a %g ", crealf(z), cimagf(z), creal(waves[i].w[1]), waves[i].count);
    }
    printf("%lx\n", sum);
}

static unsigned state = 1;

static double next(int odd)
{
    state = state * 1664525 + 1013904223;
    int k = state >> 24;
    if (odd && k < 4) return k == 0 ? INFINITY : k == 1 ? NAN : k == 2 ? -0.0 : 1e300;
    return (k - 128) / 64.;
}

static void fill(int odd)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            A[i][j] = CMPLX(next(odd), next(odd));
            B[i][j] = CMPLX(next(odd), next(odd));
            D[i][j] = CMPLX(next(0), next(0));
        }
        fx[i] = CMPLXF(next(odd), next(odd));
        fy[i] = CMPLXF(next(0), next(0));
        waves[i].w[0] = CMPLX(next(0), next(0));
        waves[i].w[1] = CMPLX(next(0), next(0));
    }
    for (int i = 0; i < 2 * N; i++) {
        x[i] = CMPLX(next(odd), next(odd));
        y[i] = CMPLX(next(0), next(0));
    }
}

int main(void)
{
    static const int sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, N};
    for (int odd = 0; odd < 2; odd++)
        for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            int n = sizes[k];
            void (*const kinds[])(int) = {dot, product, squares, stencil, quotients, turn, prefix,
                                          adjoint, choose, substitute, of_records, parts};
            for (unsigned f = 0; f < sizeof kinds / sizeof *kinds; f++) {
                fill(odd);
                kinds[f](n);
                show();
            }
            fill(odd);
            axpy(n, 0.5 - 2.0 * I);
            axpy_single(n, 0.5f - 2.0f * I, fx, fy);
            butterfly(n, x, y);
            show();
            product_of_parameters(n, (void *)A, (void *)B, (void *)D);
            filter(n, n / 3);
            show();
        }
    return 0;
}
