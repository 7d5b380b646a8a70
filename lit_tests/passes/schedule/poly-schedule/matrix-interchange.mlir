// for (j) for (i) U[i][j] = P[i][j];
// The loops in an order that a matrix gives: the one that walks along rows (auto), a skewed one, one
// that is completed from its first row, and one whose times are every other point of each row (a determinant of -2).
// RUN: polyopt-opt %s -p "poly-schedule{scheduler=matrix},poly-print-loops" | filecheck %s --check-prefix=AUTO
// RUN: polyopt-opt %s -p "poly-schedule{scheduler=matrix matrix=\"1,0;1,1\"},poly-print-loops" | filecheck %s --check-prefix=SKEW
// RUN: polyopt-opt %s -p "poly-schedule{scheduler=matrix matrix=\"0,1\"},poly-print-loops" | filecheck %s --check-prefix=AUTO
// RUN: polyopt-opt %s -p "poly-schedule{scheduler=matrix matrix=\"1,1;1,-1\"},poly-print-loops" | filecheck %s --check-prefix=STEPS

func.func @columns(%U : memref<?x100xf64>, %P : memref<?x100xf64>, %n : index) {
  poly.scop "columns" params(%n) ["n"] arrays(%U, %P : memref<?x100xf64>, memref<?x100xf64>) ["U", "P"]
    context <"[n] -> { : 0 < n <= 100 }">
    schedule <"{ domain: \"[n] -> { S[j, i] : 0 <= i, j < n }\", child: { schedule: \"[{ S[j, i] -> [j] }, { S[j, i] -> [i] }]\" } }">
  {
    poly.stmt "S" domain <"[n] -> { S[j, i] : 0 <= i, j < n }"> iterators ["j", "i"] {
    ^bb0(%j : index, %i : index):
      %p = poly.read %P <"{ S[j, i] -> P[i, j] }"> : memref<?x100xf64>
      poly.write %p, %U <"{ S[j, i] -> U[i, j] }"> : memref<?x100xf64>
    }
  }
  func.return
}

// AUTO:      // columns:
// AUTO-NEXT: for (c0 = 0; c0 < n; c0++)
// AUTO-NEXT:   for (c1 = 0; c1 < n; c1++)
// AUTO-NEXT:     S(c1, c0);

// SKEW:      // columns:
// SKEW-NEXT: for (c0 = 0; c0 < n; c0++)
// SKEW-NEXT:   for (c1 = c0; c1 < n + c0; c1++)
// SKEW-NEXT:     S(c0, -c0 + c1);

// STEPS:      // columns:
// STEPS-NEXT: for (c0 = 0; c0 < 2 * n - 1; c0++)
// STEPS-NEXT:   for (c1 = {{.*}}; c1 += 2)
