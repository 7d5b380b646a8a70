// Figure 5 of Shirako, Pouchet, Sarkar, Oil and water can mix, SC 2014: outermost loops that are doall, reduction and pipeline
// parallel; then a sum beside a sweep, both at once, and a sweep that goes back along the inner loop, which is neither.
// RUN: polyopt-cc -O2 -ffast-math --poly=identity --emit=poly %s | polyopt-opt -p poly-print-parallelism | filecheck %s
// RUN: polyopt-cc -O2 --poly=identity --emit=poly %s | polyopt-opt -p poly-print-parallelism | filecheck %s --check-prefix=STRICT

void doall(int n, double alpha, double A[100][100], double B[100][100])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = alpha * B[i][j];
}

// CHECK:      // doall: schedule
// CHECK-NEXT: //   i of S0: doall
// CHECK-NEXT: //     j of S0: doall

void reduction(int n, double alpha, double S[100], double X[100][100])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            S[j] += alpha * X[i][j];
}

// CHECK:      // reduction: schedule
// CHECK-NEXT: //   i of S0: reduction(S)
// CHECK-NEXT: //     j of S0: doall
// STRICT:     // reduction: schedule
// STRICT-NEXT: //   i of S0: pipeline

void pipeline(int n, double C[100][100])
{
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n - 1; j++)
            C[i][j] = 0.33 * (C[i - 1][j] + C[i][j] * C[i][j]);
}

// CHECK:      // pipeline: schedule
// CHECK-NEXT: //   i of S0: pipeline
// CHECK-NEXT: //     j of S0: doall

void both(int n, double s[1], double C[100][100])
{
    for (int i = 1; i < n; i++)
        for (int j = n - 2; j >= 0; j--) {
            C[i][j] = 0.5 * C[i - 1][j];
            s[0] += C[i][j];
        }
}

// CHECK:      // both: schedule
// CHECK-NEXT: //   i of S0, S1: reduction(s) & pipeline
// CHECK-NEXT: //     -j of S0, S1: reduction(s)
// STRICT:     // both: schedule
// STRICT-NEXT: //   i of S0, S1: serial

void serial(int n, double C[100][100])
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n - 1; j++)
            C[i][j] = C[i - 1][j + 1];
}

// CHECK:      // serial: schedule
// CHECK-NEXT: //   i of S0: serial
// CHECK-NEXT: //     j of S0: doall
