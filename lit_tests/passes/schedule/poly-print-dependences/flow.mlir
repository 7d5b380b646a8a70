// Each kind of dependence is listed, one relation for each pair of statements.
// RUN: polyopt-opt %s -p poly-print-dependences | filecheck %s

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

// CHECK:      // two: flow
// CHECK-NEXT: //   [n] -> { S[i] -> T[i' = i] : 0 <= i < n }
// CHECK-NEXT: // two: live-in
// CHECK-NEXT: //   [n] -> { S[i] -> A[i] :
// CHECK-NEXT: // two: live-out
// CHECK-DAG:  //   [n] -> { S[i] -> B[i] :
// CHECK-DAG:  //   [n] -> { T[i] -> C[i] :
// CHECK:      builtin.module
