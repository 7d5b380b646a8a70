// At the edges: a function of one block has one node and no arrow; a declaration, and a name that no function has, give nothing.
// RUN: polyopt-opt %s -p 'export-cfg{dir="-"}' | filecheck %s
// RUN: polyopt-opt %s -p 'export-cfg{dir="-" function=other}' 2>&1 | filecheck %s --check-prefix=OTHER

int declared(int n);
int one(int n) { return declared(n); }
// CHECK-NOT:  digraph "declared"
// CHECK:      digraph "one" {
// CHECK-NOT:    cluster
// CHECK-NOT:    ->
// CHECK:      }
// CHECK:      builtin.module
// OTHER-NOT:  digraph
