// A schedule comes from a ScopLib file, names do not: T's rows are moved into S's loop.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: polyopt-opt %s -p 'poly-export-scoplib' -o module.mlir
// RUN: sed -e '/^5 5/,/^$/ s/^     0    0    0    0    1$/     0    0    0    0    0/' -e '/^5 5/,/^$/ {/^     0    1    0    0    0$/{n;s/0$/1/}}' -e '1,$s/^n$/size/' two___two.scoplib > moved.scop
// RUN: polyopt-opt %s -p 'poly-import-scoplib{file="moved.scop"},poly-print-loops' | filecheck %s
// RUN: sed -e '/^5 5/,/^$/ s/^     0    0    0    0    1$/     0    0    0    0   -1/' two___two.scoplib > early.scop
// RUN: not polyopt-opt %s -p 'poly-import-scoplib{file="early.scop"}' 2>&1 | filecheck %s --check-prefix=ILLEGAL
// RUN: sed 's/^     3    1    0    0    0$/     3    1    0    0    1/' two___two.scoplib > access.scop
// RUN: not polyopt-opt %s -p 'poly-import-scoplib{file="access.scop"}' 2>&1 | filecheck %s --check-prefix=ACCESS
// RUN: sed '/^SCoP/,/^1 3/ s/^1 3/1/' two___two.scoplib > short.scop
// RUN: not polyopt-opt %s -p 'poly-import-scoplib{file="short.scop"}' 2>&1 | filecheck %s --check-prefix=SHORT

func.func @two(%A : memref<?xf64>, %B : memref<?xf64>, %C : memref<?x20xf32>, %n : index) {
  poly.scop "two" params(%n) ["n"] arrays(%A, %B, %C : memref<?xf64>, memref<?xf64>, memref<?x20xf32>) ["A", "B", "C"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n; T[i, j] : 0 <= i < n and 0 <= j < 20 }\", child: { sequence: [ { filter: \"{ S[i] }\", child: { schedule: \"[{ S[i] -> [i] }]\" } }, { filter: \"{ T[i, j] }\", child: { schedule: \"[{ T[i, j] -> [i] }, { T[i, j] -> [j] }]\" } } ] } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      %a = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
      poly.write %a, %B <"{ S[i] -> B[i] }"> : memref<?xf64>
    } loc("two.c":3:5)
    poly.stmt "T" domain <"[n] -> { T[i, j] : 0 <= i < n and 0 <= j < 20 }"> iterators ["i", "j"] {
    ^bb0(%i : index, %j : index):
      %b = poly.read %B <"{ T[i, j] -> B[i] }"> : memref<?xf64>
      %c = arith.truncf %b : f64 to f32
      poly.write %c, %C <"{ T[i, j] -> C[i, j] }"> : memref<?x20xf32>
    } loc("two.c":6:7)
  } loc("two.c":2:3)
  func.return
}

// CHECK:      for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT:   S(c0);
// CHECK-NEXT:   for (c1 = 0; c1 < 20; c1++) // parallel
// CHECK-NEXT:     T(c0, c1);

// ILLEGAL: two.c:2:3: error: illegal schedule for SCoP 'two':
// ILLEGAL-NEXT: flow dependence from S to T

// ACCESS: error: access.scop: not the SCoP 'two': C, C are not accessed alike

// SHORT: short.scop:{{[0-9]+}}: error: expected the context: two numbers, of rows and of columns
// SHORT-NEXT: 1
