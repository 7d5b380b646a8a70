// RUN: polyopt-opt %s -p promote-scalars,clean-values,if-convert,unroll-windows | filecheck %s

// The bytes of a pixel are no row: all of them are one iteration's of the loop around.
// CHECK-LABEL: func.func @pixels
// CHECK-COUNT-3: arith.divsi
// CHECK-NOT:     arith.divsi
// CHECK:         func.return
void pixels(const unsigned char *s, unsigned char *d, int n)
{
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            d[4 * i + c] = s[4 * i + c] * s[4 * i + 3] / 255;
}

// More bytes than a word has are, and so are longer elements.
// CHECK-LABEL: func.func @eight
// CHECK-COUNT-1: arith.divsi
// CHECK-NOT:     arith.divsi
// CHECK:         func.return
void eight(const unsigned char *s, unsigned char *d, int n)
{
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 8; c++)
            d[8 * i + c] = s[8 * i + c] / 255;
}

// CHECK-LABEL: func.func @shorts
// CHECK-COUNT-1: arith.divsi
// CHECK-NOT:     arith.divsi
// CHECK:         func.return
void shorts(const short *s, short *d, int n)
{
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            d[3 * i + c] = s[3 * i + c] / 255;
}

// Nor are bytes that go on where those of the iteration before ended: all of them are one row, also
// where several of them are done at once, or a pointer says where they begin.
// CHECK-LABEL: func.func @all
// CHECK-COUNT-1: arith.divsi
// CHECK-NOT:     arith.divsi
// CHECK:         func.return
void all(const unsigned char *s, unsigned char *d, int n)
{
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            d[3 * i + c] = s[3 * i + c] / 255;
}

// CHECK-LABEL: func.func @columns
// CHECK-COUNT-2: arith.divsi
// CHECK-NOT:     arith.divsi
// CHECK:         func.return
void columns(const unsigned char *s, unsigned char *d, int n)
{
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 4; c++) {
            const unsigned char *p = s + 8 * i + 2 * c;
            unsigned char *q = d + 8 * i + 2 * c;
            q[0] = p[1] / 255;
            q[1] = p[0] / 255;
        }
}
