// for (i) for (j) A[i][j] = A[i][j-1] + B[i];
// Along j every access is of consecutive or unchanging elements, but j carries a dependence; along
// i the writes are scattered: no loop is good for SIMD, and none is strip-mined.
// RUN: polyopt-opt %s -p "poly-schedule{scheduler=tile-simd},poly-print-loops" | filecheck %s

func.func @sweep(%A : memref<?x900xf64>, %B : memref<?xf64>, %n : index) {
  poly.scop "sweep" params(%n) ["n"] arrays(%A, %B : memref<?x900xf64>, memref<?xf64>) ["A", "B"]
    context <"[n] -> { : 1 < n <= 900 }">
    schedule <"{ domain: \"[n] -> { S[i, j] : 0 <= i < n and 0 < j < n }\", child: { schedule: \"[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]\" } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i, j] : 0 <= i < n and 0 < j < n }"> iterators ["i", "j"] {
    ^bb0(%i : index, %j : index):
      %a = poly.read %A <"{ S[i, j] -> A[i, j - 1] }"> : memref<?x900xf64>
      %b = poly.read %B <"{ S[i, j] -> B[i] }"> : memref<?xf64>
      %s = arith.addf %a, %b : f64
      poly.write %s, %A <"{ S[i, j] -> A[i, j] }"> : memref<?x900xf64>
    }
  }
  func.return
}

// CHECK:      // sweep:
// CHECK-NEXT: for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT:   for (c1 = 1; c1 < n; c1++)
// CHECK-NEXT:     S(c0, c1);
