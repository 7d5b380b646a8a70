// The control flow of a function: what is a static control part in one box, a loop in none in another one with the reason; the blocks
// say which lines they come from, or nothing. A function without loops has no boxes, and what is not a function is not drawn.
// RUN: rm -rf %t && polyopt-cc -O3 --poly=isl --export=dot:%t -c %s -o %t.o && cat %t/mixed.cfg.dot %t/plain.cfg.dot | filecheck %s
// RUN: polyopt-opt %s -p 'promote-scalars,simplify-loops,export-cfg{dir="-" function=mixed only=true}' | filecheck %s --check-prefix=ONLY
// RUN: not polyopt-opt %s -p 'export-cfg{format=ps}' 2>&1 | filecheck %s --check-prefix=WRONG

int hard(int);
void mixed(int n, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i];
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            a[i] += hard(i);
}
// CHECK:      digraph "mixed" {
// CHECK:        label="static control part mixed";
// CHECK-NEXT:   bgcolor="palegreen";
// CHECK:        line 11\l
// CHECK-NEXT: }
// CHECK:        label="loop k: the call of hard may do anything: move it out of the loop or inline it
// CHECK-NEXT:   bgcolor="mistyrose";
// CHECK:        line 14\l
// CHECK-NOT:    label="loop i
// CHECK:        "{{[0-9]+}}" -> "{{[0-9]+}}";
// ONLY:         label="static control part mixed";
// ONLY-NOT:     line {{[0-9]}}
// ONLY:       builtin.module

int plain(int n)
{
    return n < 0 ? hard(n) : n;
}
// CHECK:      digraph "plain" {
// CHECK-NOT:    cluster
// WRONG: format
