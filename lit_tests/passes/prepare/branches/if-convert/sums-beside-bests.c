// RUN: polyopt-opt %s -p 'promote-scalars,clean-values,if-convert' | filecheck %s

// A sum in C's order that is always added to stays so, whatever becomes of the loop; not beside the least
// of numbers, which would wait for two choices in a row where C's branch is foreseen.

// CHECK-LABEL: func.func @alone
// CHECK-SAME:    poly.written_anew
// CHECK-NOT:     cf.cond_br %{{.*}}, ^{{.*}}, ^{{.*}}(
double alone(int n, const double *v)
{
    double s = 0;
    int c = 0;
    for (int i = 0; i < n; i++) {
        if (v[i] < 0.1)
            continue;
        s += v[i];
        c++;
    }
    return s / c;
}

// CHECK-LABEL: func.func @beside
// CHECK-NOT:     poly.written_anew
// CHECK:         arith.select
// CHECK:         func.return
double beside(int n, const double *v)
{
    double s = 0, least = 1e300;
    for (int i = 0; i < n; i++) {
        if (v[i] < 0.1)
            continue;
        s += v[i];
        if (v[i] < least)
            least = v[i];
    }
    return s * least;
}

// The least of integers is chosen in one step.
// CHECK-LABEL: func.func @integers
// CHECK-SAME:    poly.written_anew
double integers(int n, const double *v, const int *k)
{
    double s = 0;
    int least = 1000;
    for (int i = 0; i < n; i++) {
        int key = k[i];
        if (key < 10)
            continue;
        s += 2.0;
        if (key < least)
            least = key;
    }
    return s * least;
}
