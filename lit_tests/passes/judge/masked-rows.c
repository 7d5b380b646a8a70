// Rows of three under masks pay where no loop loads what they store; where one does, it waits for them.
// RUN: polyopt-cc -O3 -march=x86-64-v4 --emit=loops -o - %s | filecheck %s

double a[64][9], b[64][9], c[64][9];

// CHECK-LABEL: func.func @products(
// CHECK:         vector.maskedstore
void products(void)
{
    for (int n = 0; n < 64; n++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double s = 0;
                for (int k = 0; k < 3; k++)
                    s += a[n][3 * i + k] * b[n][3 * k + j];
                c[n][3 * i + j] = s;
            }
}

// CHECK-LABEL: func.func @products_one_after_the_other(
// CHECK-NOT:     vector.maskedstore
// CHECK:         func.return
void products_one_after_the_other(void)
{
    for (int n = 1; n < 64; n++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double s = 0;
                for (int k = 0; k < 3; k++)
                    s += c[n - 1][3 * i + k] * b[n][3 * k + j];
                c[n][3 * i + j] = s;
            }
}
