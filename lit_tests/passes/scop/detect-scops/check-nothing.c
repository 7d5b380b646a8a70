// RUN: polyopt-cc -O2 --check --emit=poly -o - %s | filecheck %s

// A loop that is no SCoP runs as it is written anyway: there is nothing to compare.

// CHECK-NOT:     __polyopt_check
// CHECK:         func.func @search
// CHECK-NOT:     __polyopt_check
int search(const int *a)
{
    int i = 0;
    while (a[i] != 0)
        i++;
    return i;
}
