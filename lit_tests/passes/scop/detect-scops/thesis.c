// The examples of T. Grosser, Enabling polyhedral optimizations in LLVM, 2011, chapters 4 to 6: the sets and accesses that its figures print
// (of 14, the loops run to N - 1 in its code and to N in its sets; the drawing of 16 is what its text says of it).
// RUN: polyopt-cc -O2 --skip-pass=keep-as-written --emit=poly -o - %s | filecheck %s

void hard(void);

// Figure 8: every other j has the second statement.
// CHECK-LABEL: func.func @figure_8
// CHECK:         "S0" domain <"[N, M] -> { S0[i, j] : i <= N and 0 < j <= 2i and j <= M }">
// CHECK:         "S1" domain <"[N, M] -> { S1[i, j] : (j) mod 2 = 0 and i <= N and 0 < j <= 2i and j <= M }">
void figure_8(int N, int M, double A[restrict N + 1][M + 1], double B[restrict N + 1][M + 1])
{
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= M && j <= 2 * i; j++) {
            A[i][j] = 1;
            if (j % 2 == 0)
                B[i][j] = 2;
        }
}

// Figure 12: what is valid by its syntax. The iterations of steps of four are counted.
// CHECK-LABEL: func.func @figure_12
// CHECK:         "S0" domain <"[n] -> { S0[i] : i >= 0 and 4i <= 99 + n }">
// CHECK:         read {{.*}} S0[i] -> B[4i, 12i] }
// CHECK:         read {{.*}} S0[i] -> A[4i] }
// CHECK:         write {{.*}} S0[i] -> A[1 + 4i] }
// CHECK:         "S1" domain <"[n] -> { S1[i, j] : 4i <= 99 + n and 4i <= j < 40i }">
// CHECK:         read {{.*}} S1[i, j] -> A[-n + 4i] }
void figure_12(int n, double *restrict A, double B[restrict][1000])
{
    for (int i = 0; i < 100 + n; i = i + 4) {
        A[i + 1] = B[i][3 * i] + A[i];
        for (int j = i; j < 10 * i; j++)
            A[i + 1] = A[i] + A[i - n];
    }
}

// Figure 14: a domain for each arm.
// CHECK-LABEL: func.func @figure_14
// CHECK:         "S0" domain <"[N] -> { S0[i] : 0 <= i <= -50 + N }">
// CHECK:         write {{.*}} S0[i] -> A[5i] }
// CHECK:         "S1" domain <"[N] -> { S1[i] : i >= -49 + N and 0 <= i < N }">
// CHECK:         write {{.*}} S1[i] -> A[3i] }
// CHECK:         "S2" domain <"[N] -> { S2[i, j] : 0 <= i < N and 0 <= j < N }">
// CHECK:         write {{.*}} S2[i, j] -> B[i, 2j] }
void figure_14(long N, double *restrict A, double B[restrict][2048])
{
    long i, j;
    for (i = 0; i < N; i++) {
        if (i <= N - 50)
            A[5 * i] = 1;
        else
            A[3 * i] = 2;
        for (j = 0; j < N; j++)
            B[i][2 * j] = 3;
    }
}

// Figure 15: from C to sets.
// CHECK-LABEL: func.func @figure_15
// CHECK:         [{ S0[i] -> [(i)] }]
// CHECK:         "S0" domain <"{ S0[i] : 0 <= i <= 99 }">
// CHECK:         write {{.*}} S0[i] -> B[2i] }
float B[200];
void figure_15(void)
{
    for (int i = 0; i < 100; i++)
        B[2 * i] = 3;
}

// Figure 16: two loops and what stands between are one part; the call in front is difficult, and the block behind leads to two places.
// CHECK-LABEL: func.func @figure_16
// CHECK:         call @hard
// CHECK:         poly.scop
// CHECK:         "S0" domain
// CHECK:         "S1" domain
// CHECK:         "S2" domain
// CHECK-NOT:     poly.scop
int figure_16(int n, const int *d, double *restrict A, double *restrict C)
{
    if (n > 3) {
        hard();
        for (int i = 0; i < n; i++)
            A[i] = 1;
        A[n] = 2;
        for (int i = 0; i < n; i++)
            C[i] = 3;
        if (d[0])
            return 1;
    }
    hard();
    return 0;
}

// Figures 17 and 18: subscripts are functions of i wherever they were computed; a value that is loaded is an array of no dimensions.
// CHECK-LABEL: func.func @figure_17
// CHECK:         local ["v"]
// CHECK:         "S0" domain <"[n] -> { S0[i] : 0 <= i < n }">
// CHECK:         read {{.*}} S0[i] -> A[1 + 2i] }
// CHECK:         write {{.*}} S0[i] -> v[] }
// CHECK:         "S1" domain <"[n] -> { S1[i] : 6 <= i < n }">
// CHECK:         write {{.*}} S1[i] -> C[1 + 2i] }
// CHECK:         "S2" domain <"[n] -> { S2[i] : 0 <= i < n }">
// CHECK:         read {{.*}} S2[i] -> v[] }
// CHECK:         write {{.*}} S2[i] -> A[2 + 2i] }
void figure_17(int n, double *restrict A, double *restrict C)
{
    for (int i = 0; i < n; i++) {
        int at = 2 * i + 1;
        double v = A[at] + 3;
        if (i > 5)
            C[at] = 4;
        A[at + 1] = v;
    }
}

// Figure 20: a function without side effects chooses the element, and whether it is written.
// CHECK-LABEL: func.func @figure_20
// CHECK:         "S0" domain <"{ S0[i] : 0 <= i <= 99 }">
// CHECK:         "S1" domain <"{ S1[i, j] : i >= 0 and i <= j <= 49 }">
// CHECK:         call @foo
// CHECK:         scf.if
// CHECK:         write {{.*}} S1[i, j] -> C[o0] }"> may
// CHECK:         "S2" domain <"{ S2[i] : 0 <= i <= 99 }">
int foo(int) __attribute__((const));
void figure_20(double C[restrict 100], double *restrict T)
{
    for (int i = 0; i < 100; i++) {
        C[i] = 0;
        for (int j = i; j < 50; j++)
            if (foo(j) > 0)
                C[foo(j)] = j;
        T[i] = C[i];
    }
}
