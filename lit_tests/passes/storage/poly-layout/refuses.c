// What cannot have a layout, and why: an error, since somebody has asked for it.
// RUN: polyopt-cc -O2 --emit=poly -o %t.mlir %s
// RUN: not polyopt-opt %t.mlir -p 'poly-layout{array=W}' 2>&1 | filecheck %s --check-prefix=WRITES
// RUN: not polyopt-opt %t.mlir -p 'poly-layout{array=R}' 2>&1 | filecheck %s --check-prefix=READS
// RUN: not polyopt-opt %t.mlir -p 'poly-layout{array=T layout=split number=4}' 2>&1 | filecheck %s --check-prefix=LOOKUP
// RUN: not polyopt-opt %t.mlir -p 'poly-layout{array=x layout=pad number=4}' 2>&1 | filecheck %s --check-prefix=ROW
// RUN: not polyopt-opt %t.mlir -p 'poly-layout{array=x}' 2>&1 | filecheck %s --check-prefix=SAME
// RUN: not polyopt-opt %t.mlir -p 'poly-layout{array=W order=1,1}' 2>&1 | filecheck %s --check-prefix=ORDER
// RUN: not polyopt-opt %t.mlir -p 'poly-layout{array=T limit=1000}' 2>&1 | filecheck %s --check-prefix=LIMIT
// RUN: not polyopt-opt %t.mlir -p 'poly-layout{array=Q}' 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not polyopt-opt %t.mlir -p 'poly-layout{array=x scops=lookup}' 2>&1 | filecheck %s --check-prefix=SCOPS
// RUN: not polyopt-opt %t.mlir -p 'poly-layout{array=x layout=split number=1}' 2>&1 | filecheck %s --check-prefix=NUMBER
// RUN: not polyopt-opt %t.mlir -p 'poly-layout{array=x layout=pad order=0}' 2>&1 | filecheck %s --check-prefix=WORDS
// RUN: not polyopt-opt %t.mlir -p 'poly-layout{array=T operations=10}' 2>&1 | filecheck %s --check-prefix=BUDGET

// An element that the program does not write may be another thread's.
// WRITES: error: poly-layout: data decide on what is written of W, which is used later
// ORDER: error: poly-layout: W has 2 dimensions, and an order names each once
void writes(int n, const int *restrict p, double W[40][40], double *restrict s)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 40; j++)
            if (p[i] > 0)
                W[i][j] = s[j] * 2.0;
}

// Where no p[i] is positive, there need not be any R.
// READS: error: poly-layout: data decide on what is read of R, whose size is not known
void reads(int n, const int *restrict p, double R[40][40], double *restrict s)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 40; j++)
            if (p[i] > 0)
                s[j] += R[i][j];
}

// LOOKUP: error: poly-layout: which elements of T are touched, data decide
// LIMIT: error: poly-layout: T would take 1536 bytes, more than 1000
// BUDGET: error: poly-layout: not done: layout: more than 10 isl operations
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

// ROW: error: poly-layout: x has one row, and nothing comes behind it
// SAME: error: poly-layout: this is the order that x has
// NONE: error: poly-layout: no static control part has an array 'Q'
// SCOPS: error: poly-layout: no static control part of lookup has an array 'x'
// NUMBER: error: poly-layout: layout=split asks for number=2 or more
// WORDS: error: poly-layout: order is for layout=transpose
void row(int n, double *x)
{
    for (int i = 1; i < n; i++)
        x[i] += 0.5 * x[i - 1];
}
