// RUN: polyopt-cc -O2 --emit=poly -o - %s | filecheck %s

// A loop inside that begins where data say is one with its neighbours around it, in which these data
// stay the same; the number is loaded in front of them, if they run at all. What stores may change,
// or is found anew in each iteration, leaves the loop alone.

// CHECK-LABEL: func.func @rows
// CHECK:         %[[HAS:.*]] = arith.cmpi {{.*}}%m
// CHECK-NEXT:    cf.cond_br %[[HAS]]
// CHECK:         poly.scop "rows"
// CHECK-SAME:      ["m", "p_1", "p_2", "i"]
// CHECK:           domain <"{{.*}} S0[j, p] : 0 <= j < m and p_1 <= p < p_2 }">
void rows(int n, int m, const int *restrict row, const double *restrict v, double *restrict y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = row[i]; p < row[i + 1]; p++)
                y[i * 40 + j] += v[p];
}

// CHECK-LABEL: func.func @stored
// CHECK:         poly.scop "stored"
// CHECK:           domain <"{{.*}} S0[p]
void stored(int n, int m, int *restrict row)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = row[i]; p < n; p++)
                row[i + j] += p;
}

// CHECK-LABEL: func.func @anew
// CHECK:         poly.scop "anew"
// CHECK:           domain <"{{.*}} S0[p]
void anew(int n, int m, const int *restrict row, double *restrict y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = row[j]; p < n; p++)
                y[i * 40 + j] += p;
}
