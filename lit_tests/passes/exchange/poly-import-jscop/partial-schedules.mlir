// Instances without a date are not run: C[i] is overwritten, so the first writes may go; what is
// read, or lasts, may not.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: polyopt-opt %s -p 'poly-export-jscop' -o module.mlir
// RUN: sed 's/S\[i\] -> \[0, i\] }/S[i] -> [0, i] : i < 0 }/' twice___twice.jscop > none.jscop
// RUN: polyopt-opt %s -p 'poly-import-jscop{file="none.jscop"},poly-print-loops' | filecheck %s
// RUN: sed 's/S\[i\] -> \[0, i\] }/S[i] -> [0, i] : i mod 2 = 1 }/' twice___twice.jscop > some.jscop
// RUN: polyopt-opt %s -p 'poly-import-jscop{file="some.jscop"},poly-print-loops' | filecheck %s --check-prefix=SOME
// RUN: sed 's/T\[i\] -> \[1, i\] }/T[i] -> [1, i] : i > 0 }/' twice___twice.jscop > lasts.jscop
// RUN: not polyopt-opt %s -p 'poly-import-jscop{file="lasts.jscop"}' 2>&1 | filecheck %s --check-prefix=LASTS
// RUN: sed 's/U\[i\] -> \[2, i\] }/U[i] -> [2, i] : i != 3 }/' twice___twice.jscop > read.jscop
// RUN: not polyopt-opt %s -p 'poly-import-jscop{file="read.jscop"}' 2>&1 | filecheck %s --check-prefix=READ

func.func @twice(%A : memref<?xf64>, %C : memref<?xf64>, %D : memref<?xf64>, %n : index) {
  poly.scop "twice" params(%n) ["n"] arrays(%A, %C, %D : memref<?xf64>, memref<?xf64>, memref<?xf64>) ["A", "C", "D"]
    context <"[n] -> { : n > 9 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n; U[i] : 0 <= i < n; V[i] : 0 <= i < n }\", child: { sequence: [ { filter: \"{ S[i] }\", child: { schedule: \"[{ S[i] -> [i] }]\" } }, { filter: \"{ T[i] }\", child: { schedule: \"[{ T[i] -> [i] }]\" } }, { filter: \"{ U[i] }\", child: { schedule: \"[{ U[i] -> [i] }]\" } }, { filter: \"{ V[i] }\", child: { schedule: \"[{ V[i] -> [i] }]\" } } ] } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      %a = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
      poly.write %a, %C <"{ S[i] -> C[i] }"> : memref<?xf64>
    }
    poly.stmt "T" domain <"[n] -> { T[i] : 0 <= i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      %a = poly.read %A <"{ T[i] -> A[i] }"> : memref<?xf64>
      %b = arith.addf %a, %a : f64
      poly.write %b, %C <"{ T[i] -> C[i] }"> : memref<?xf64>
    }
    poly.stmt "U" domain <"[n] -> { U[i] : 0 <= i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      %a = poly.read %A <"{ U[i] -> A[i] }"> : memref<?xf64>
      poly.write %a, %D <"{ U[i] -> D[i] }"> : memref<?xf64>
    }
    poly.stmt "V" domain <"[n] -> { V[i] : 0 <= i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      %a = poly.read %D <"{ V[i] -> D[i] }"> : memref<?xf64>
      %b = arith.mulf %a, %a : f64
      poly.write %b, %D <"{ V[i] -> D[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK-NOT:  S(
// CHECK:      for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT:   T(c0);

// SOME:      for (c0 = 1; c0 < n; c0 += 2) // parallel
// SOME-NEXT:   S(c0);
// SOME-NEXT: for (c0 = 0; c0 < n; c0++) // parallel
// SOME-NEXT:   T(c0);

// LASTS: lasts.jscop: no schedule: some instances have no date, and what they compute is needed: [n] -> { T[i] -> C[o0]

// READ: read.jscop: no schedule: some instances have no date, and what they compute is needed: [n] -> { U[i] -> V[i']
