// Subscripts that data decide on go with their dimensions; a layout of a layout; a name that is taken;
// loops that may run never; an order that has been chosen before, whose marks stay.
// RUN: polyopt-cc -O2 --emit=poly -o %t.mlir %s
// RUN: polyopt-opt %t.mlir -p 'poly-layout{array=T}' | filecheck %s --check-prefix=LOOKUP
// RUN: polyopt-opt %t.mlir -p 'poly-layout{array=A},poly-layout{array=A_layout2},poly-layout{array=A_layout2_layout layout=pad number=1}' | filecheck %s --check-prefix=TWICE
// RUN: polyopt-opt %t.mlir -p 'poly-layout{array=x layout=split number=2 scops=never}' | filecheck %s --check-prefix=NEVER
// RUN: polyopt-opt %t.mlir -p 'poly-layout{array=x layout=split number=2 scops=total}' | filecheck %s --check-prefix=ODD
// RUN: not polyopt-opt %t.mlir -p 'poly-layout{array=x layout=split number=2 scops=before}' 2>&1 | filecheck %s --check-prefix=BEFORE
// RUN: polyopt-opt %t.mlir -p 'poly-layout{array=P}' | filecheck %s --check-prefix=ENDS
// RUN: not polyopt-opt %t.mlir -p 'poly-layout{array=sum}' 2>&1 | filecheck %s --check-prefix=SCALAR
// RUN: polyopt-opt %t.mlir -p 'poly-tile-loops{scop="chosen" loops="S0.i","S0.j" sizes=8,8},poly-layout{array=C scops=chosen},poly-print-loops' | filecheck %s --check-prefix=CHOSEN

// LOOKUP:     poly.write {{.*}}, %T_layout <"[n] -> { S0[i, j] -> T_layout[j, i] }"> : memref<8x24xf64>
// LOOKUP:     [[ROW:%.*]] = arith.subi
// LOOKUP:     [[COLUMN:%.*]] = arith.constant 0 : index
// LOOKUP:     poly.read %T_layout <"[n] -> { S1[i] -> T_layout[0, o1] : 0 <= o1 <= 23 }"> may at [[[COLUMN]], [[ROW]]] : memref<8x24xf64>
void lookup(int n, const int *restrict p, double *restrict s)
{
    double T[24][8];
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < 8; j++)
            T[i][j] = i + 0.5 * j;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 8; j++)
            s[i] += T[p[i] & 15][j];
}

// TWICE:      %A_layout2 = memref.alloc() {{.*}} : memref<80x40xf64>
// TWICE:      %A_layout2_layout = memref.alloc() {{.*}} : memref<40x80xf64>
// TWICE:      %A_layout2_layout_layout = memref.alloc() {{.*}} : memref<40x81xf64>
// TWICE:      poly.write {{.*}}, %A_layout2_layout_layout <"{ S0[i, j] -> A_layout2_layout_layout[i, j] }">
void taken(double A[40][80], double A_layout[40][80])
{
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 80; j++)
            A[i][j] = A_layout[i][j] * 2.0;
}

// NEVER:      poly.scop "never"
// NEVER:      poly.stmt "x_out" domain <"[n] -> { x_out[0, i1] : 0 <= i1 < n }">
void never(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[2 * i] = i;
}

// Of n numbers the last record may be half of one; of one number there is no second member.
// ODD:      poly.stmt "x_in" domain <"[n] -> { x_in[i0, i1] : 0 <= i0 <= 1 and i1 >= 0 and 2*floor((1 + i0)/2) < n + i0 - 2i1 }">
// SCALAR: error: poly-layout: sum is a single variable, no array
double sum;
void total(int n, const double *restrict x)
{
    for (int i = 0; i < n; i++)
        sum += x[i];
}

// What is used may not begin in front of the array's first element.
// BEFORE: error: poly-layout: what is used of x does not begin at 0 or has no end
void before(int n, const double *restrict x)
{
    for (int i = 0; i < n; i++)
        sum += x[2 * i - 1];
}

// What is used ends at the greater one of two sizes, and what is copied at each of them.
// ENDS:      affine.apply affine_map<(d0, d1, d2) -> ({{d[01]}})>
// ENDS:      arith.maxsi
// ENDS:      affine.apply affine_map<(d0, d1, d2) -> ({{d[01]}})>
// ENDS:      arith.maxsi
// ENDS:      %P_layout = memref.alloc(%{{.*}}) {{.*}} : memref<6x?xf64>
// ENDS:      poly.stmt "P_in" domain <"[{{.*}}] -> { P_in[i0, 5] : {{.*}} < m; P_in[i0, 3] : {{.*}} < n }">
void ends(int n, int m, int t, double (*restrict P)[8], double *restrict s)
{
    for (int k = 0; k < t; k++) {
        for (int i = 0; i < n; i++)
            s[k] += P[i][3];
        for (int i = 0; i < m; i++)
            s[k] -= P[i][5];
    }
}

// CHOSEN:      C_in(c0, c1);
// CHOSEN:      c0 += 8) // tile, parallel
// CHOSEN:      S0(c2, c3);
// CHOSEN:      C_out(c0, c1);
double C[64][64];
void chosen(void)
{
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++)
            C[i][j] = C[i][j] * 0.5 + 1.0;
}
