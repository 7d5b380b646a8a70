// RUN: polyopt-opt %s -p promote-scalars,clean-values,if-convert,unroll-windows | filecheck %s

// A window of 5 x 5 whose place decides what of it there is stays as it is; one of 3 x 3 does not, nor
// one of 5 x 5 where nothing but its own counters or data decide.

#define N 64
extern float in[N][N], out[N][N];

// CHECK-LABEL: func.func @wide
// CHECK-COUNT-1: arith.mulf
// CHECK-NOT:     arith.mulf
// CHECK:         func.return
void wide(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int a = -2; a <= 2; a++)
                for (int b = -2; b <= 2; b++)
                    if (i + a >= 0 && i + a < N && j + b >= 0 && j + b < N)
                        out[i][j] += in[i + a][j + b] * 0.04f;
}

// CHECK-LABEL: func.func @narrow
// CHECK-COUNT-9: arith.mulf
// CHECK:         func.return
void narrow(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int a = -1; a <= 1; a++)
                for (int b = -1; b <= 1; b++)
                    if (i + a >= 0 && i + a < N && j + b >= 0 && j + b < N)
                        out[i][j] += in[i + a][j + b] * 0.1f;
}

// CHECK-LABEL: func.func @ring
// CHECK-COUNT-25: arith.mulf
// CHECK:         func.return
void ring(void)
{
    for (int i = 2; i < N - 2; i++)
        for (int j = 2; j < N - 2; j++)
            for (int a = -2; a <= 2; a++)
                for (int b = -2; b <= 2; b++)
                    if (a == -2 || a == 2 || b == -2 || b == 2)
                        out[i][j] += in[i + a][j + b] * 0.06f;
}
