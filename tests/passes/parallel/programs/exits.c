/* early exits: break, return, goto out of nests; what is written before the exit stays */
#include <stdio.h>
#define N 500
static double a[N][N], b[N];
static int where[N];

int find(int n, double v) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (a[i][j] > v)
                return i * n + j;
    return -1;
}

void rows(int n, double v) {
    for (int i = 0; i < n; i++) {
        where[i] = -1;
        for (int j = 0; j < n; j++) {
            if (a[i][j] > v) {
                where[i] = j;
                break;
            }
            b[i] += a[i][j];
        }
    }
}

int stop(int n, double v) {
    int i;
    for (i = 0; i < n; i++) {
        b[i] = 2 * b[i] + 1;
        if (b[i] > v)
            break;
        for (int j = 0; j < n; j++)
            a[i][j] -= b[i] * 1e-3;
    }
    return i;
}

void skip(int n) {
    for (int i = 0; i < n; i++) {
        if (where[i] < 0)
            continue;
        for (int j = 0; j < n; j++) {
            if (j == where[i])
                goto out;
            a[i][j] = a[i][j] * 0.5 + j;
        }
        out:;
        b[i] -= 1;
    }
}

int main(void) {
    for (int i = 0; i < N; i++) {
        b[i] = i * 0.25;
        for (int j = 0; j < N; j++)
            a[i][j] = (i * 31 + j * 17) % 997 * 0.1;
    }
    long s = 0;
    static const int z[] = {0, 1, 2, 33, 499, 500};
    for (int k = 0; k < 6; k++) {
        int n = z[k];
        s = s * 7 + find(n, 60 + k);
        rows(n, 90 - k);
        s = s * 7 + stop(n, 100 + 10 * k);
        skip(n);
        s = s * 7 + find(n, 99.5);
    }
    double t = 0;
    for (int i = 0; i < N; i++) {
        t += b[i] * (i % 7) + where[i];
        for (int j = 0; j < N; j++)
            t += a[i][j] * ((i * 3 + j) % 11);
    }
    printf("%ld %.17g\n", s, t);
    return 0;
}
