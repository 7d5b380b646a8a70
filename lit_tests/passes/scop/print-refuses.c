// What is not known: how often a loop is repeated that the data end; and a way round with two entries is no loop.
// RUN: polyopt-opt %s -p 'promote-scalars{all=true},clean-values,print-evolution' | filecheck %s
// RUN: polyopt-opt %s -p 'promote-scalars{all=true},clean-values,print-regions' | filecheck %s --check-prefix=REGIONS

int irreducible(int n)
{
    int k = 0;
    if (n > 3)
        goto middle;
again:
    k++;
middle:
    k += 2;
    if (k < n)
        goto again;
    return k;
}
// CHECK-NOT:   irreducible:
// REGIONS:     // irreducible:  region 0 to
// REGIONS-NOT: // irreducible: {{.*}}: loop

int until(int *p)
{
    int k = 0;
    while (p[k] != 0)
        k = p[k];
    return k;
}
// CHECK:      // until: loop k ({{.*}}): repeated ?
// CHECK-NEXT: builtin.module
// REGIONS:    // until: {{.*}}: loop k
