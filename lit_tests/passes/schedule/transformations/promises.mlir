// RUN: polyopt-opt %s -p 'poly-parallel{loop="S.i"},poly-vectorize{loop="S.j"}' | filecheck %s
// RUN: not polyopt-opt %s -p 'poly-vectorize{loop="T.i"}' 2>&1 | filecheck %s --check-prefix=VECTORS
// RUN: not polyopt-opt %s -p 'poly-parallel{loop="T.i"}' 2>&1 | filecheck %s --check-prefix=THREADS
// RUN: not polyopt-opt %s -p 'poly-vectorize{loop="S.i"}' 2>&1 | filecheck %s --check-prefix=OUTER

// A loop is asked to run in threads or in vectors by a mark in the schedule; refused where a dependence
// is carried that these cannot keep, and for vectors of a loop with another one in it.

// CHECK:   mark: \22threads\22, child: { schedule: \22[{ S[i, j] -> [(i)] }]\22
// CHECK:   mark: \22vectors\22, child: { schedule: \22[{ S[i, j] -> [(j)] }]\22
// VECTORS: error: 'vectorize T.i' is illegal
// THREADS: error: 'parallel T.i' is illegal
// OUTER:   error: 'vectorize S.i' cannot be done: there are loops inside it
func.func @two(%A : memref<?x?xf64>, %B : memref<?xf64>, %n : index) {
  poly.scop "two" params(%n) ["n"] arrays(%A, %B : memref<?x?xf64>, memref<?xf64>) ["A", "B"]
    context <"[n] -> { : n > 2 }">
    schedule <"{ domain: \"[n] -> { S[i, j] : 0 <= i, j < n; T[i] : 0 < i < n }\", child: { sequence: [ { filter: \"{ S[i, j] }\", child: { schedule: \"[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]\" } }, { filter: \"{ T[i] }\", child: { schedule: \"[{ T[i] -> [i] }]\" } } ] } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i, j] : 0 <= i, j < n }"> iterators ["i", "j"] {
    ^bb0(%i : index, %j : index):
      %one = arith.constant 1.0 : f64
      poly.write %one, %A <"{ S[i, j] -> A[i, j] }"> : memref<?x?xf64>
    }
    poly.stmt "T" domain <"[n] -> { T[i] : 0 < i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      %b = poly.read %B <"{ T[i] -> B[i - 1] }"> : memref<?xf64>
      poly.write %b, %B <"{ T[i] -> B[i] }"> : memref<?xf64>
    }
  }
  func.return
}
