/* private temporaries: arrays per iteration, conditionally written, read behind the loop, last values */
#include <stdio.h>
#define N 350
static double a[N][N], row[N], col[N], last[N];
static int pos[N];
double glob[N];

void smooth(int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            row[j] = a[i][j] * 0.5;
        for (int j = 1; j < n - 1; j++)
            a[i][j] = row[j - 1] + row[j + 1];
    }
}

void behind(int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            glob[j] = a[i][j] + i;
        for (int j = 0; j < n; j++)
            last[i] += glob[n - 1 - j];
    }
}

double scal(int n) {
    double t = 0, u = -1;
    for (int i = 0; i < n; i++) {
        t = a[i][i] * 2;
        for (int j = 0; j < n; j++) {
            u = t + a[i][j];
            a[j][i] = a[j][i] * 0.5 + u * 1e-3 * (j == i);
        }
        col[i] = u;
    }
    return t + u;
}

void some(int n) {
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0)
            for (int j = 0; j < n; j++)
                row[j] = i + j;
        for (int j = 0; j < n; j++)
            a[i][j] += row[j] * 1e-2;
    }
}

int lastpos(int n, double v) {
    int k = -1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (a[i][j] > v) {
        k = i * n + j;
        pos[i] = j;
    }
    return k;
}

void part(int n) {
    double t[N];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            t[j] = a[i][j];
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < j; k++)
                a[i][j] -= t[k] * 1e-4;
    }
}

int main(void) {
    for (int i = 0; i < N; i++) {
        row[i] = i;
        for (int j = 0; j < N; j++)
            a[i][j] = (i * 17 + j * 29) % 53 * 0.25;
    }
    static const int z[] = {0, 1, 2, 3, 40, 349, 350};
    double s = 0;
    for (int k = 0; k < 7; k++) {
        int n = z[k];
        smooth(n);
        behind(n);
        s = s * 0.5 + scal(n);
        some(n);
        s += lastpos(n, 3 + k);
        part(n);
    }
    for (int i = 0; i < N; i++) {
        s += row[i] * 0.25 + col[i] + last[i] + pos[i] + glob[i];
        for (int j = 0; j < N; j++)
            s += a[i][j] * ((i + j) % 7);
    }
    printf("%.17g\n", s);
    return 0;
}
