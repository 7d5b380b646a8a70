// A SCoP prints and parses back to itself, in the pretty and in the generic form.
// RUN: polyopt-opt %s | filecheck %s
// RUN: polyopt-opt %s --print-op-generic | polyopt-opt | filecheck %s

func.func @gemm(%C : memref<?x1100xf64>, %A : memref<?x1200xf64>, %idx : memref<?xindex>, %n : index, %m : index, %beta : f64) {
  poly.scop "gemm" params(%n, %m) ["n", "m"]
    arrays(%C, %A, %idx : memref<?x1100xf64>, memref<?x1200xf64>, memref<?xindex>) ["C", "A", "idx"]
    local ["A"]
    context <"[n, m] -> { : n > 0 }">
    assumed <"[n, m] -> { : m <= 1100 }">
    schedule <"{ domain: \"[n, m] -> { S[i, j] : 0 <= i < n and 0 <= j < m; T[] }\", child: { sequence: [ { filter: \"{ S[i, j] }\", child: { schedule: \"[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]\" } }, { filter: \"{ T[] }\" } ] } }">
  {
    poly.stmt "S" domain <"[n, m] -> { S[i, j] : 0 <= i < n and 0 <= j < m }"> iterators ["i", "j"] {
    ^bb0(%i : index, %j : index):
      %c = poly.read %C <"{ S[i, j] -> C[i, j] }"> : memref<?x1100xf64>
      %k = poly.read %idx <"{ S[i, j] -> idx[i] }"> : memref<?xindex>
      %a = poly.read %A <"{ S[i, j] -> A[o0, j] }"> may at [%k, %j] : memref<?x1200xf64>
      %p = arith.mulf %c, %beta : f64
      %q = arith.addf %p, %a : f64
      poly.write %q, %C <"{ S[i, j] -> C[i, j] }"> : memref<?x1100xf64>
    }
    poly.stmt "T" domain <"{ T[] }"> {
      poly.write %beta, %A <"{ T[] -> A[3, 4] }"> : memref<?x1200xf64>
    }
  }
  func.return
}

// CHECK:       poly.scop "gemm" params(%n, %m) ["n", "m"] arrays(%C, %A, %idx : memref<?x1100xf64>, memref<?x1200xf64>, memref<?xindex>) ["C", "A", "idx"] local ["A"] context <"[n, m] -> { : n > 0 }"> assumed <"[n, m] -> { : m <= 1100 }"> schedule <"{ domain:
// CHECK-NEXT:    poly.stmt "S" domain <"[n, m] -> { S[i, j] : 0 <= i < n and 0 <= j < m }"> iterators ["i", "j"] {
// CHECK-NEXT:    ^bb0(%i: index, %j: index):
// CHECK-NEXT:      %c = poly.read %C <"{ S[i, j] -> C[i, j] }"> : memref<?x1100xf64>
// CHECK-NEXT:      %k = poly.read %idx <"{ S[i, j] -> idx[i] }"> : memref<?xindex>
// CHECK-NEXT:      %a = poly.read %A <"{ S[i, j] -> A[o0, j] }"> may at [%k, %j] : memref<?x1200xf64>
// CHECK-NEXT:      %p = arith.mulf %c, %beta : f64
// CHECK-NEXT:      %q = arith.addf %p, %a : f64
// CHECK-NEXT:      poly.write %q, %C <"{ S[i, j] -> C[i, j] }"> : memref<?x1100xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    poly.stmt "T" domain <"{ T[] }"> {
// CHECK-NEXT:      poly.write %beta, %A <"{ T[] -> A[3, 4] }"> : memref<?x1200xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:  }

// Data decide on accesses.
func.func @positive(%A : memref<?xf64>, %n : index, %zero : f64) {
  poly.scop "positive" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %a = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
      %c = arith.cmpf olt, %a, %zero : f64
      scf.if %c {
        poly.write %zero, %A <"{ S[i] -> A[i] }"> may : memref<?xf64>
      }
    }
  }
  func.return
}

// CHECK:       poly.scop "positive"
// CHECK:         %[[C:.*]] = arith.cmpf olt
// CHECK-NEXT:    scf.if %[[C]] {
// CHECK-NEXT:      poly.write %zero, %A <"{ S[i] -> A[i] }"> may : memref<?xf64>
// CHECK-NEXT:    }

// Whether a SCoP pays, with what is known of problems of other sizes.
func.func @pays(%n : index) {
  %p = poly.pays "some" params(%n) {expected = array<i64: 9>, source = array<f64: 80.0, 0.5>}
  %q = poly.pays "other" params(%n) {apart, span = affine_map<(d0) -> (d0)>, shorter = array<i64: 2, 4>, shorter_source = array<f64: 9.0, 0.0, 12.0, 0.0>, shares = array<f64: 0.5, 0.25, 0.125>, beside_threads}
  func.return
}

// CHECK-LABEL: func.func @pays
// CHECK-NEXT:    %p = poly.pays "some" params(%n) {expected = array<i64: 9>, source = array<f64: 8.000000e+01, 5.000000e-01>}
// CHECK-NEXT:    %q = poly.pays "other" params(%n) {
// CHECK-SAME:    apart
// CHECK-SAME:    beside_threads
