// Sweeps that stay apart.
// RUN: polyopt-opt %s -p promote-scalars,if-convert,simplify-loops,detect-scops,poly-schedule{scheduler="locality"},poly-fuse-shifted{march="x86-64-v3"},poly-print-loops \
// RUN:   | filecheck %s
// RUN: polyopt-opt %s -p promote-scalars,if-convert,simplify-loops,detect-scops,poly-fuse-shifted{bytes=48000},poly-print-loops \
// RUN:   | filecheck %s --check-prefix=SAID

// All of it, 47,200 bytes, stays in the second level: nothing is to be gained, nor where that is said.
// SAID-LABEL: // small:
// SAID:       //       S0(c0, c1);
// SAID:       //       S1(c0, c1);
// CHECK-LABEL: // small:
// CHECK:       //       S0(c0, c1);
// CHECK:       //       S1(c0, c1);
void small(float a[restrict 40][100], float b[restrict 40][100], float c[restrict 40][100])
{
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 100; j++)
            b[i][j] = a[i][j] + 1;
    for (int i = 0; i < 39; i++)
        for (int j = 0; j < 100; j++)
            c[i][j] = b[i + 1][j] - b[i][j] + a[i][j];
}

// What is written in the one has to be brought in then, and what is read once is saved: a tie.
// CHECK-LABEL: // handed_on:
// CHECK:       //       S0(c0, c1);
// CHECK:       //       S1(c0, c1);
void handed_on(double a[restrict 3000][2000], double b[restrict 3000][2000], double c[restrict 3000][2000])
{
    for (int i = 0; i < 3000; i++)
        for (int j = 0; j < 2000; j++)
            b[i][j] = a[i][j] + 1;
    for (int i = 0; i < 2999; i++)
        for (int j = 0; j < 2000; j++)
            c[i][j] = b[i + 1][j] - b[i][j];
}

// The last row is needed first.
// CHECK-LABEL: // upside_down:
// CHECK:       //       S0(c0, c1);
// CHECK:       //       S1(c0, c1);
void upside_down(double a[restrict 3000][2000], double b[restrict 3000][2000], double c[restrict 3000][2000])
{
    for (int i = 0; i < 3000; i++)
        for (int j = 0; j < 2000; j++)
            b[i][j] = a[i][j] + 1;
    for (int i = 0; i < 3000; i++)
        for (int j = 0; j < 2000; j++)
            c[i][j] = b[2999 - i][j] + a[i][j];
}

// Rows that wait for themselves run in lanes of the loop around them.
// CHECK-LABEL: // recurrence:
// CHECK:       //       S0(c0, c1);
// CHECK:       //       S1(c0, c1);
void recurrence(double a[restrict 3000][2000], double b[restrict 3000][2000], double c[restrict 3000][2000])
{
    for (int i = 0; i < 3000; i++)
        for (int j = 1; j < 2000; j++)
            b[i][j] = a[i][j] + b[i][j - 1];
    for (int i = 0; i < 2999; i++)
        for (int j = 0; j < 2000; j++)
            c[i][j] = b[i + 1][j] - b[i][j] + a[i][j];
}

// One loop each: there are no rows.
// CHECK-LABEL: // streams:
// CHECK:       //     S0(c0);
// CHECK:       //     S1(c0);
void streams(double a[restrict 9000000], double b[restrict 9000000], double c[restrict 9000000])
{
    for (int i = 0; i < 9000000; i++)
        b[i] = a[i] + 1;
    for (int i = 0; i < 8999999; i++)
        c[i] = b[i + 1] - b[i] + a[i];
}
