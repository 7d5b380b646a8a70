// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffast-math -S -o %t.s %s

// What is added to LLVM's text has names that no variable of C has.

double names(double *restrict a, const double *restrict b, int n, double kept)
{
    double limit = 1.0, whole = 2.0, extreme = 3.0;
    for (int i = 0; i < n; i++) {
        whole = b[i] / (kept + limit);
        if (whole > 0.9)
            whole = 0.9;
        limit = whole;
        extreme = extreme > whole ? extreme : whole;
        a[i] = limit + extreme;
    }
    return whole + extreme;
}
