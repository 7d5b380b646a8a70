double mean(int n, const double x[n])
{
    double s = 0, t;
    #pragma omp parallel for private(t) reduction(+: s)
    for (int i = 0; i < n; i++) {
        t = x[i];
        s += t;
    }
    return s / n;
}
