// Two matrix products, one after the other: poly-ast gives them the loops of figure 3 of Shirako, Pouchet, Sarkar, Oil and water can
// mix, SC 2014: one loop over rows around both, rows of B and C walked along inside. With no budget the order stays that of the source.
// RUN: polyopt-opt %s -p "promote-scalars,simplify-loops,detect-scops,poly-schedule{scheduler=poly-ast},poly-print-loops" | filecheck %s
// RUN: polyopt-opt %s -p "promote-scalars,simplify-loops,detect-scops,poly-schedule{scheduler=poly-ast operations=50},poly-print-loops" | filecheck %s --check-prefix=SOURCE

void two(int ni, int nj, int nk, int nl, double alpha, double beta, double tmp[restrict 100][100], double A[restrict 100][100],
         double B[restrict 100][100], double C[restrict 100][100], double D[restrict 100][100])
{
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            tmp[i][j] = 0.0;
            for (int k = 0; k < nk; k++)
                tmp[i][j] += alpha * A[i][k] * B[k][j];
        }
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nl; j++) {
            D[i][j] *= beta;
            for (int k = 0; k < nj; k++)
                D[i][j] += tmp[i][k] * C[k][j];
        }
}

// CHECK:      // two:
// CHECK-NEXT: //   for (c0 = 0; c0 < ni; c0++) // parallel
// CHECK-NEXT: //     for (c1 = 0; c1 < nj; c1++) // parallel
// CHECK-NEXT: //       S0(c0, c1);
// CHECK-NEXT: //     for (c1 = 0; c1 < nk; c1++)
// CHECK-NEXT: //       for (c2 = 0; c2 < nj; c2++) // parallel
// CHECK-NEXT: //         S1(c0, c2, c1);
// CHECK-NEXT: //     for (c1 = 0; c1 < nl; c1++) // parallel
// CHECK-NEXT: //       S2(c0, c1);
// CHECK-NEXT: //     for (c1 = 0; c1 < nj; c1++)
// CHECK-NEXT: //       for (c2 = 0; c2 < nl; c2++) // parallel
// CHECK-NEXT: //         S3(c0, c2, c1);

// SOURCE:      // two:
// SOURCE:      //         S1(c0, c1, c2);
// SOURCE-NEXT: //   for (c0 = 0; c0 < ni; c0++) // parallel
