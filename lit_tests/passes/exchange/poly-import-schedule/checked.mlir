// A schedule from outside is believed only when it keeps every dependence.
// RUN: polyopt-opt %s -p 'poly-import-schedule{schedule="{ domain: \"[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }\", child: { schedule: \"[{ S[i] -> [-i]; T[i] -> [-i] }]\", child: { sequence: [ { filter: \"{ S[i] }\" }, { filter: \"{ T[i] }\" } ] } } }"},poly-print-loops' | filecheck %s
// RUN: not polyopt-opt %s -p 'poly-import-schedule{schedule="{ domain: \"[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }\", child: { sequence: [ { filter: \"{ T[i] }\" }, { filter: \"{ S[i] }\" } ] } }"}' 2>&1 | filecheck %s --check-prefix=ILLEGAL
// RUN: not polyopt-opt %s -p 'poly-import-schedule{schedule="{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"}' 2>&1 | filecheck %s --check-prefix=DOMAIN
// RUN: not polyopt-opt %s -p 'poly-import-schedule{schedule="{ domain: }"}' 2>&1 | filecheck %s --check-prefix=TEXT
// RUN: not polyopt-opt %s -p 'poly-import-schedule' 2>&1 | filecheck %s --check-prefix=NOTHING
// RUN: not polyopt-opt %s -p 'poly-import-schedule{file="no-such-file"}' 2>&1 | filecheck %s --check-prefix=FILE
// RUN: not polyopt-opt %s -p 'poly-import-schedule{scop="three" schedule=""}' 2>&1 | filecheck %s --check-prefix=NAME

func.func @two(%A : memref<?xf64>, %B : memref<?xf64>, %C : memref<?xf64>, %n : index) {
  poly.scop "two" params(%n) ["n"] arrays(%A, %B, %C : memref<?xf64>, memref<?xf64>, memref<?xf64>) ["A", "B", "C"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }\", child: { sequence: [ { filter: \"{ S[i] }\", child: { schedule: \"[{ S[i] -> [i] }]\" } }, { filter: \"{ T[i] }\", child: { schedule: \"[{ T[i] -> [i] }]\" } } ] } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      %a = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
      poly.write %a, %B <"{ S[i] -> B[i] }"> : memref<?xf64>
    } loc("two.c":3:5)
    poly.stmt "T" domain <"[n] -> { T[i] : 0 <= i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      %b = poly.read %B <"{ T[i] -> B[i] }"> : memref<?xf64>
      poly.write %b, %C <"{ T[i] -> C[i] }"> : memref<?xf64>
    } loc("two.c":5:5)
  } loc("two.c":2:3)
  func.return
}

// CHECK:      for (c0 = -n + 1; c0 < 1; c0++) // parallel
// CHECK-NEXT:   S(-c0);
// CHECK-NEXT:   T(-c0);

// ILLEGAL: two.c:2:3: error: illegal schedule for SCoP 'two':
// ILLEGAL-NEXT: flow dependence from S to T (two.c:3:5 and two.c:5:5) is not kept: B[0] is written by S at i = 0, and then read by T at i = 0 (for n = 1)

// DOMAIN: error: no schedule: some instances have no date, and what they compute is needed: [n] -> { T[i] -> {{.}}[

// TEXT: error: poly-import-schedule: no schedule tree: expected a text in quotes

// NOTHING: error: poly-import-schedule: give one of schedule, file and dir

// FILE: error: no-such-file: No such file or directory

// NAME: error: there is no SCoP named 'three'
// NAME-NEXT: hint: SCoPs here: two
