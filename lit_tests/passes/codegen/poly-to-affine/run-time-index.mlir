// for (i) { k = idx[i]; B[k] = i < m ? A[i] : A[3*m - i]; }
// An access with a run-time index is a memref access; a subscript that is affine by pieces is a
// choice; the iterator is used as a value; operations keep their places in the source.
// RUN: polyopt-opt %s -p poly-to-affine --print-debuginfo | filecheck %s

func.func @gather(%A : memref<?xf64>, %B : memref<?xf64>, %idx : memref<?xindex>, %n : index, %m : index) {
  poly.scop "gather" params(%n, %m) ["n", "m"]
    arrays(%A, %B, %idx : memref<?xf64>, memref<?xf64>, memref<?xindex>) ["A", "B", "idx"]
    context <"[n, m] -> { : n > 0 }">
    schedule <"{ domain: \"[n, m] -> { S[i] : 0 <= i < n }\", child: { schedule: \"[{ S[i] -> [i] }]\" } }">
  {
    poly.stmt "S" domain <"[n, m] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %k = poly.read %idx <"{ S[i] -> idx[i] }"> : memref<?xindex> loc("g.c":7:9)
      %kk = arith.addi %k, %i : index loc("g.c":7:10)
      %a = poly.read %A <"[m] -> { S[i] -> A[i] : i < m; S[i] -> A[3m - i] : i >= m }"> : memref<?xf64> loc("g.c":7:20)
      poly.write %a, %B <"{ S[i] -> B[o0] }"> may at [%kk] : memref<?xf64> loc("g.c":7:15)
    }
  }
  func.return
}

// CHECK-LABEL: func.func @gather
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      %k = affine.load %idx[%i] : memref<?xindex> loc("g.c":7:9)
// CHECK-NEXT:      %kk = arith.addi %k, %i : index loc("g.c":7:10)
// CHECK:           [[TEST:%.*]] = arith.cmpi sge, %{{.*}}, %{{.*}} : index
// CHECK:           [[AT:%.*]] = arith.select [[TEST]], %{{.*}}, %{{.*}} : index
// CHECK-NEXT:      %a = affine.load %A[[[AT]]] : memref<?xf64> loc("g.c":7:20)
// CHECK-NEXT:      memref.store %a, %B[%kk] : memref<?xf64> loc("g.c":7:15)
