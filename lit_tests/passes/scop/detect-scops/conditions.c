// RUN: polyopt-cc -O2 --emit=poly -o - %s | filecheck %s

// Conditions become part of domains: && and ||, remainders, switch, break and continue.

// CHECK-LABEL: func.func @and_or
// CHECK:         domain <"[n, m] -> { S0[i] : 3 <= i < m and i < n; S0[i = 17] : n >= 18 and m <= 17 }">
void and_or(int n, int m, double *a)
{
    for (int i = 0; i < n; i++)
        if ((i > 2 && i < m) || i == 17)
            a[i] = 1.0;
}

// CHECK-LABEL: func.func @red
// CHECK:         domain <"[n] -> { S0[i, j] : (i + j) mod 2 = 0 and 0 <= i < n and 0 <= j < n }">
void red(int n, double a[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if ((i + j) % 2 == 0)
                a[i][j] = 1.0;
}

// Case 3 falls through into case 5; the last statement is reached by all.
// CHECK-LABEL: func.func @cases
// CHECK:         domain <"[n] -> { S0[i = 0] : n > 0 }">
// CHECK:         domain <"[n] -> { S1[i = 5] : n >= 6; S1[i = 3] : n >= 4 }">
// CHECK:         domain <"[n] -> { S2[i] : 0 <= i < n }">
void cases(int n, double *a, double *restrict b)
{
    for (int i = 0; i < n; i++) {
        switch (i) {
        case 0:
            a[i] = 1.0;
            break;
        case 3:
        case 5:
            a[i] = 2.0;
            break;
        }
        b[i] = 3.0;
    }
}

// CHECK-LABEL: func.func @until
// CHECK:         domain <"[n, m] -> { S0[i] : 0 <= i < n and (m < 0 or i < m) }">
void until(int n, int m, double *a)
{
    for (int i = 0; i < n; i++) {
        if (i == m)
            break;
        a[i] = 1.0;
    }
}

// CHECK-LABEL: func.func @skipping
// CHECK:         domain <"[n] -> { S0[i] : 0 <= i < n and 3*floor((1 + i)/3) <= i }">
void skipping(int n, double *a)
{
    for (int i = 0; i < n; i++) {
        if (i % 3 == 2)
            continue;
        a[i] = 1.0;
    }
}

// A bound that is the smaller of two.
// CHECK-LABEL: func.func @smaller
// CHECK:         domain <"[n, m] -> { S0[i] : 0 <= i < m and i < n }">
void smaller(int n, int m, double *a)
{
    int k = n < m ? n : m;
    for (int i = 0; i < k; i++)
        a[i] = 1.0;
}
