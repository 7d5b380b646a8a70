// A size that is loaded in front of all loops decides as an argument does: its branch splits the
// iterations, and stays. One of which bits are asked is data, and so is what each row has loaded.
// RUN: polyopt-cc --emit=prepared -O3 %s | filecheck %s

int n;
int flags;
double a[100][100], b[100][100];

// CHECK-LABEL: func.func @last
// CHECK-NOT:     scf.if
// CHECK:         func.return
void last(void)
{
    for (int i = 0; i < 100; i++)
        for (int j = 0; j < n; j++) {
            b[i][j] = a[i][j] * 2;
            if (j + 1 >= n)
                b[i][j] = 0;
            else
                a[i][j] = b[i][j] + i;
        }
}

// CHECK-LABEL: func.func @bits
// CHECK:         scf.if
// CHECK:         func.return
void bits(void)
{
    for (int i = 0; i < 100; i++)
        for (int j = 0; j < n; j++)
            if ((flags & 4) != 0 && a[i][j] > 0)
                b[i][j] = a[i][j] * 3;
}

// CHECK-LABEL: func.func @ends
// CHECK:         scf.if
// CHECK:         func.return
void ends(int m, const int *end)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            if (j < end[i])
                b[i][j] = a[i][j] * 3;
}
