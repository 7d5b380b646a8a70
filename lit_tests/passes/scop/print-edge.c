// At the edges: a declaration, a function without loops, a loop that no iteration of is run, one that is no loop.
// RUN: polyopt-opt %s -p 'promote-scalars{all=true},clean-values,print-evolution' | filecheck %s
// RUN: polyopt-opt %s -p 'promote-scalars{all=true},clean-values,print-regions' | filecheck %s --check-prefix=REGIONS

int declared(int n);

int straight(int n) { return declared(n) + 1; }
// CHECK-NOT:    straight:
// REGIONS:      // straight: 0: dominated by -, postdominated by -
// REGIONS-NEXT: // straight:  region 0 to -

void twice(int *a)
{
    for (int i = 0; i < 0; i++)
        a[i] = 0;
    do
        a[1] = 1;
    while (0);
}
// CHECK:      // twice: loop i ({{.*}}): repeated 0
// CHECK:      // twice:   i left with 0
// CHECK-NOT:  // twice: loop
// REGIONS:    // twice:  region 1 to 3: loop i
// REGIONS-NOT: // twice: {{.*}}: loop
