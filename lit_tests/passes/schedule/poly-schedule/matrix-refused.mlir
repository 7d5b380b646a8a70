// for (j) for (i) A[i][j] = A[i+1][j-1];   the distance (1, -1)
// An interchange would reverse the dependence and is refused; with i counting down it is legal,
// which the automatic choice finds. What is no matrix is an error.
// RUN: polyopt-opt %s -p "poly-schedule{scheduler=matrix matrix=\"0,1;1,0\"},poly-print-loops" | filecheck %s --check-prefix=KEPT
// RUN: polyopt-opt %s -p "poly-schedule{scheduler=matrix},poly-print-loops" | filecheck %s --check-prefix=AUTO
// RUN: not polyopt-opt %s -p "poly-schedule{scheduler=matrix matrix=\"1,2;2,4\"}" 2>&1 | filecheck %s --check-prefix=SINGULAR
// RUN: not polyopt-opt %s -p "poly-schedule{scheduler=matrix matrix=fast}" 2>&1 | filecheck %s --check-prefix=TEXT

func.func @diagonal(%A : memref<?x100xf64>, %n : index) {
  poly.scop "diagonal" params(%n) ["n"] arrays(%A : memref<?x100xf64>) ["A"]
    context <"[n] -> { : 2 < n <= 99 }">
    schedule <"{ domain: \"[n] -> { S[j, i] : 0 <= i < n and 0 < j < n }\", child: { schedule: \"[{ S[j, i] -> [j] }, { S[j, i] -> [i] }]\" } }">
  {
    poly.stmt "S" domain <"[n] -> { S[j, i] : 0 <= i < n and 0 < j < n }"> iterators ["j", "i"] {
    ^bb0(%j : index, %i : index):
      %a = poly.read %A <"{ S[j, i] -> A[i + 1, j - 1] }"> : memref<?x100xf64>
      poly.write %a, %A <"{ S[j, i] -> A[i, j] }"> : memref<?x100xf64>
    }
  }
  func.return
}

// KEPT:      // diagonal:
// KEPT-NEXT: for (c0 = 1; c0 < n; c0++)
// KEPT-NEXT:   for (c1 = 0; c1 < n; c1++)
// KEPT-NEXT:     S(c0, c1);

// AUTO:      // diagonal:
// AUTO-NEXT: for (c0 = -n + 1; c0 <{{=?}} {{.*}}; c0++)
// AUTO-NEXT:   for (c1 = 1; c1 < n; c1++)
// AUTO-NEXT:     S(c1, -c0);

// SINGULAR: error: the rows of the matrix '1,2;2,4' are linearly dependent

// TEXT: error: no matrix: 'fast'
