// An array in another layout while its loops run: its columns as rows, rows that are longer, the
// members of records apart. A local array that is filled and used up here has no copies; of one that
// others see, what is read from before is copied in, and what is written is copied out, no more.
// RUN: polyopt-cc -O2 --emit=poly -o - %s | polyopt-opt -p 'poly-layout{array=A},poly-layout{array=L}' | filecheck %s
// RUN: polyopt-cc -O2 --emit=poly -o - %s | polyopt-opt -p 'poly-layout{array=A layout=pad number=8},poly-print-loops' | filecheck %s --check-prefix=PAD
// RUN: polyopt-cc -O2 --emit=poly -o - %s | polyopt-opt -p 'poly-layout{array=v layout=split number=4},poly-print-loops' | filecheck %s --check-prefix=SPLIT
// RUN: polyopt-cc -O2 --emit=poly -o - %s | polyopt-opt -p 'poly-layout{array=K order=2,0,1}' | filecheck %s --check-prefix=ORDER
// RUN: rm -rf %t && mkdir %t && polyopt-cc -O2 --poly=identity --add-pass='poly:poly-layout{array=K order=2,0,1}' --export=jscop:%t -c %s -o %t/o.o && cat %t/cube*.jscop | filecheck %s --check-prefix=JSCOP

double A[512][512], s[512], K[40][50][60];

// All of it is read, all but the first row is written. The size is known when it runs.
// CHECK:       arith.muli
// CHECK:       scf.if
// CHECK:       %A_layout = memref.alloc({{.*}}) {{.*}} : memref<?x?xf64>
// CHECK:       poly.scop "columns"
// CHECK-SAME:  local ["A_layout"]
// CHECK:       poly.read %A_layout <"[n] -> { S0[j, i] -> A_layout[j, -1 + i] }">
// CHECK:       poly.write {{.*}} <"[n] -> { S0[j, i] -> A_layout[j, i] }">
// CHECK:       poly.stmt "A_in" domain <"[n] -> { A_in[i0, i1] : n >= 2 and 0 <= i0 < n and 0 <= i1 < n }">
// CHECK:         poly.read %A{{.*}} <"[n] -> { A_in[i0, i1] -> A[i0, i1] }">
// CHECK:         poly.write {{.*}}, %A_layout <"{ A_in[a0, a1] -> A_layout[a1, a0] }">
// CHECK:       poly.stmt "A_out" domain <"[n] -> { A_out[i0, i1] : 0 < i0 < n and 0 <= i1 < n }">
// CHECK:         poly.read %A_layout <"{ A_out[a0, a1] -> A_layout[a1, a0] }">
// CHECK:         poly.write {{.*}}, %A <"[n] -> { A_out[i0, i1] -> A[i0, i1] }">
// CHECK:       memref.dealloc %A_layout

// PAD:         A_in(c0, c1);
// PAD:         S0(c0, c1);
// PAD:         A_out(c0, c1);
// PAD:         affine_map<(d0) -> ((d0 + 8))>
// PAD:         memref.alloc({{.*}}) {{.*}} : memref<?x?xf64>
void columns(int n)
{
    for (int j = 0; j < n; j++)
        for (int i = 1; i < n; i++)
            A[i][j] += 0.5 * A[i - 1][j];
}

// CHECK:       %L_layout = memref.alloc() {{.*}} : memref<16x16xf64>
// CHECK:       poly.scop "own"
// CHECK-NOT:   poly.stmt "L_in"
// CHECK-NOT:   poly.stmt "L_out"
// CHECK:       memref.dealloc %L_layout
void own(void)
{
    double L[16][16];
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++)
            L[i][j] = i - j;
    for (int j = 0; j < 16; j++)
        for (int i = 0; i < 16; i++)
            s[j] += L[i][j];
}

struct point { double x, y, z, w; };

// Two of the four members are used: one is copied in, the other one is copied out.
// SPLIT:       v_in(1, c1);
// SPLIT:       v_out(3, c1);
// SPLIT:       %v_layout = memref.alloc({{.*}}) {{.*}} : memref<4x?xf64>
// SPLIT:       poly.read %v_layout <"[n] -> { S0[i] -> v_layout[1, i] }">
// SPLIT:       poly.write {{.*}} <"[n] -> { S0[i] -> v_layout[3, i] }">
void members(int n, struct point *v)
{
    for (int i = 0; i < n; i++)
        v[i].w = 2.0 * v[i].y;
}

// ORDER:       memref.alloc() {{.*}} : memref<60x40x50xf64>
// ORDER:       -> K_layout[k, i, j] }">

// Polly's form of the same.
// JSCOP:       "name": "K_layout"
// JSCOP:       "relation": "{ S0[k, i, j] -> K_layout[k, i, j] }"
void cube(void)
{
    for (int k = 0; k < 60; k++)
        for (int i = 0; i < 40; i++)
            for (int j = 0; j < 50; j++)
                K[i][j][k] *= 3.0;
}
