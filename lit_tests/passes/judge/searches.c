// RUN: polyopt-cc -O3 -march=x86-64-v4 --remarks -c -o /dev/null %s 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v4 -ffast-math --remarks -c -o /dev/null %s 2>&1 | filecheck %s --check-prefix=FAST

// LLVM selects where sums are under a condition, and makes no vectors of a search for a place: what an
// iteration waits for goes through what conditionals give.

// CHECK: searches.c:9:{{[0-9]+}}: applied: vectors of 16, each lane with the best of its iterations
int place(int n, const int *restrict a, const int *restrict v, int most) {
    int l = 0, f = -1; for (int j = 0; j < n; j++) if (a[j] < most && v[j] > l) { l = v[j]; f = j; }
    return f;
}

// CHECK: searches.c:16:{{[0-9]+}}: analysis: {{.*}}, 4,{{[0-9]+}},000 cycles ({{.*}}) of the source's order
// FAST: searches.c:16:{{[0-9]+}}: analysis: {{.*}}, 1,{{[0-9]+}},000 cycles ({{.*}}) of the source's order
double rows(int n, int m, const double x[n][m], double missing, double *restrict sums) {
    for (int i = 0; i < n; i++) { double s = 0; int c = 0;
        for (int j = 0; j < m; j++) { if (x[i][j] == missing) continue; s += x[i][j]; c++; }
        sums[i] = s / c; }
    return 0;
}
