// for (i) B[i] = A[i];   for (i) C[i] = B[i];
// isl's scheduler fuses producer and consumer, unless it is told not to; the identity keeps the
// source's order.
// RUN: polyopt-opt %s -p poly-schedule,poly-print-loops | filecheck %s --check-prefix=FUSED
// RUN: polyopt-opt %s -p "poly-schedule{fuse=min},poly-print-loops" | filecheck %s --check-prefix=APART
// RUN: polyopt-opt %s -p "poly-schedule{scheduler=identity},poly-print-loops" | filecheck %s --check-prefix=APART

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

// FUSED:      for (c0 = 0; c0 < n; c0++) // parallel
// FUSED-NEXT:   S(c0);
// FUSED-NEXT:   T(c0);
// FUSED:      poly.source_schedule

// APART:      for (c0 = 0; c0 < n; c0++) // parallel
// APART-NEXT:   S(c0);
// APART-NEXT: for (c0 = 0; c0 < n; c0++) // parallel
// APART-NEXT:   T(c0);
