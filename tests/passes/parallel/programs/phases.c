/* time loops with phases, ping-pong by pointer swap, boundary copies, LU with pivots, steps with serial parts */
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#define N 66
static double A[N][N], B[N][N], C[N];
static int piv[N];
static double *cur, *nxt;

void heat(int n, int m, int steps, double *p, double *q) {
    for (int k = 0; k < steps; k++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                q[i * m + j] = 0.25 * (p[(i - 1) * m + j] + p[(i + 1) * m + j] + p[i * m + j - 1] + p[i * m + j + 1]);
        for (int i = 0; i < n; i++) {
            q[i * m] = q[i * m + (m > 1)];
            q[i * m + m - 1] = i;
        }
        double *t = p;
        p = q;
        q = t;
    }
    cur = p;
    nxt = q;
}

int lu(int n) {
    int sign = 1;
    for (int k = 0; k < n; k++) {
        int r = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i][k]) > fabs(A[r][k]))
                r = i;
        piv[k] = r;
        if (A[r][k] == 0)
            return 0;
        if (r != k) {
            sign = -sign;
            for (int j = 0; j < n; j++) {
                double t = A[k][j];
                A[k][j] = A[r][j];
                A[r][j] = t;
            }
        }
        for (int i = k + 1; i < n; i++) {
            A[i][k] /= A[k][k];
            for (int j = k + 1; j < n; j++)
                A[i][j] -= A[i][k] * A[k][j];
        }
    }
    return sign;
}

void floyd(int n) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                B[i][j] = B[i][j] < B[i][k] + B[k][j] ? B[i][j] : B[i][k] + B[k][j];
}

void gram(int n) {
    for (int k = 0; k < n; k++) {
        double s = 0;
        for (int i = 0; i < n; i++)
            s += A[i][k] * A[i][k];
        C[k] = sqrt(s);
        for (int i = 0; i < n; i++)
            B[i][k] = C[k] ? A[i][k] / C[k] : 0;
        for (int j = k + 1; j < n; j++) {
            double r = 0;
            for (int i = 0; i < n; i++)
                r += B[i][k] * A[i][j];
            for (int i = 0; i < n; i++)
                A[i][j] -= B[i][k] * r;
        }
    }
}

void ldlt(int n) {
    for (int j = 0; j < n; j++) {
        double s = A[j][j];
        for (int k = 0; k < j; k++)
            s -= A[j][k] * A[j][k] * C[k];
        C[j] = s;
        for (int i = j + 1; i < n; i++) {
            double t = A[i][j];
            for (int k = 0; k < j; k++)
                t -= A[i][k] * A[j][k] * C[k];
            A[i][j] = t / C[j];
        }
    }
}

void fill(int n, int c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
        A[i][j] = (i * 31 + j * 17 + c) % 37 - 18 + 60 * (i == j);
        B[i][j] = (i * 7 + j * 13) % 41 + 1;
    }
}

int main(void) {
    static const int z[] = {0, 1, 2, 3, 17, 33, 65, 66};
    double s = 0;
    long g = 0;
    static double P[N * N], Q[N * N];
    for (int k = 0; k < 8; k++) {
        int n = z[k];
        fill(n, k);
        g = g * 3 + lu(n);
        for (int i = 0; i < n; i++)
            s += A[i][n - 1 - i] + piv[i];
        fill(n, k + 5);
        floyd(n);
        for (int i = 0; i < n; i++)
            s += B[i][(i * 3) % n];
        fill(n, 2 * k);
        gram(n);
        for (int i = 0; i < n; i++)
            s += C[i];
        fill(n, k);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                A[j][i] = A[i][j];
        for (int i = 0; i < n; i++)
            A[i][i] += 50 * n;
        ldlt(n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++)
                s += A[i][j];
        for (int i = 0; i < N * N; i++)
            P[i] = i % 23, Q[i] = 0;
        heat(n, z[7 - k] ? z[7 - k] : 1, k, P, Q);
        for (int i = 0; i < N * N; i++)
            s += P[i] * (i % 3) + Q[i];
        s += cur == P;
    }
    printf("%.17g %ld\n", s, g);
    return 0;
}
