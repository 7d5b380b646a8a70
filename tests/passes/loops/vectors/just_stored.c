/* Rows of sums that meet what the loop around has just stored; sums of integers in doubles, and of
   unsigned numbers, are the same in any order. */
#include <stdio.h>
#include <string.h>

#define MOST 41

static double L[MOST][MOST], x[MOST], b[MOST], A[MOST][MOST];
static unsigned c[MOST];

static void forward(int n)
{
    for (int i = 0; i < n; i++) {
        double s = b[i];
        for (int j = 0; j < i; j++)
            s -= L[i][j] * x[j];
        x[i] = s / 2;
    }
}

static void in_place(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            x[i] -= L[i][j] * x[j];
}

static void back(int n)
{
    for (int i = n - 1; i >= 0; i--) {
        double s = b[i];
        for (int j = i + 1; j < n; j++)
            s -= L[i][j] * x[j];
        x[i] = s;
    }
}

static void unsigned_numbers(int n)
{
    c[0] = 1;
    for (int i = 1; i < n; i++) {
        unsigned s = 0;
        for (int j = 0; j < i; j++)
            s += c[j] * c[i - 1 - j];
        c[i] = s;
    }
}

static void window(int n)
{
    for (int i = 1; i < n; i++) {
        double s = 1;
        for (int j = i < 9 ? 0 : i - 9; j < i; j++)
            s += L[i][j] * x[j];
        x[i] = s - 2 * (s > 1000) * s;
    }
}

static void rows(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double s = A[i][j];
            for (int k = 0; k < j; k++)
                s -= A[i][k] * L[j][k];
            A[i][j] = s - 4 * (int)(s / 4);
        }
}

static void begin(void)
{
    for (int i = 0; i < MOST; i++) {
        x[i] = b[i] = (i * 7) % 5 - 2;
        c[i] = i;
        for (int j = 0; j < MOST; j++) {
            L[i][j] = (i + 3 * j) % 7 == 0 ? i % 2 * 2 - 1 : 0;
            A[i][j] = (i * j + i) % 5 - 2;
        }
    }
}

static void show(const char *name, int n)
{
    double sum = 0;
    unsigned all = 0;
    for (int i = 0; i < MOST; i++) {
        sum = sum / 2 + x[i];
        all = all * 31 + c[i];
        for (int j = 0; j < MOST; j++)
            sum += A[i][j] * (i - j);
    }
    printf("%s %d: %.17g %u\n", name, n, sum, all);
}

#define RUN(f) \
    begin(); \
    f(n); \
    show(#f, n)

int main(void)
{
    for (int n = 0; n < MOST; n++) {
        RUN(forward);
        RUN(in_place);
        RUN(back);
        RUN(unsigned_numbers);
        RUN(window);
        RUN(rows);
    }
}
