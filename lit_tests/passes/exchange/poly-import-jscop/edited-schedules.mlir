// A schedule comes from Polly's JSON: taken where it is legal and the rest of the file is as it was.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: polyopt-opt %s -p 'poly-export-jscop' -o module.mlir
// RUN: sed -e 's/S\[i\] -> \[0, i, 0\]/S[i] -> [-i, -1, 0]/' -e 's/T\[i, j\] -> \[1, i, j\]/T[i, j] -> [-i, 0, j]/' -i two___two.jscop
// RUN: polyopt-opt %s -p 'poly-import-jscop,poly-print-loops' | filecheck %s
// RUN: sed 's/\[-i, -1, 0\]/[-i, 1, 0]/' two___two.jscop > late.jscop
// RUN: not polyopt-opt %s -p 'poly-import-jscop{file="late.jscop"}' 2>&1 | filecheck %s --check-prefix=ILLEGAL
// RUN: sed 's/S\[i\] -> B\[i\]/S[i] -> B[i + 1]/' two___two.jscop > access.jscop
// RUN: not polyopt-opt %s -p 'poly-import-jscop{file="access.jscop"}' 2>&1 | filecheck %s --check-prefix=ACCESS
// RUN: head -5 two___two.jscop > short.jscop
// RUN: not polyopt-opt %s -p 'poly-import-jscop{file="short.jscop"}' 2>&1 | filecheck %s --check-prefix=SHORT
// RUN: not polyopt-opt %s -p 'poly-import-jscop{dir="nowhere"}' 2>&1 | filecheck %s --check-prefix=NOWHERE

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

// CHECK:      for (c0 = -n + 1; c0 < 1; c0++) // parallel
// CHECK-NEXT:   S(-c0);
// CHECK-NEXT:   for (c1 = 0; c1 < 20; c1++) // parallel
// CHECK-NEXT:     T(-c0, c1);

// ILLEGAL: two.c:2:3: error: illegal schedule for SCoP 'two':
// ILLEGAL-NEXT: flow dependence from S to T (two.c:3:5 and two.c:6:7) is not kept:

// ACCESS: error: access.jscop: accesses cannot be moved: a read does not get its value from where it did: {{.*}}T[

// SHORT: short.jscop:6:1: error: no JSON:

// NOWHERE: error: no file to import in 'nowhere'
// NOWHERE-NEXT: hint: looked for two___two.jscop
