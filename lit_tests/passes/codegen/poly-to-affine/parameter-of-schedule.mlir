// A schedule may name a parameter that no domain does: both engines know it.
// RUN: polyopt-opt %s -p 'poly-to-affine{engine=scan}' | filecheck %s
// RUN: polyopt-opt %s -p 'poly-to-affine{engine=isl}' | filecheck %s

func.func @f(%A : memref<?xf64>, %n : index, %m : index, %x : f64) {
  poly.scop "f" params(%n, %m) ["n", "m"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\", child: { schedule: \"[n, m] -> [{ S[i] -> [(i)] }]\" } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      poly.write %x, %A <"[n] -> { S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: affine.for %{{.*}} = 0 to
