// Static control parts in their plainest form: no statement without instances, no array that nobody
// accesses, and nothing where nothing is left.
// RUN: polyopt-opt %s -p canonicalize | filecheck %s

func.func @some(%A : memref<?xf64>, %B : memref<?xf64>, %T : memref<?xf64>, %n : index, %x : f64) {
  poly.scop "some" params(%n) ["n"] arrays(%A, %B, %T : memref<?xf64>, memref<?xf64>, memref<?xf64>) ["A", "B", "T"]
    local ["T"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n; R[i] : 0 <= i < n; U[i] : 0 <= i < n and i > n }\", child: { schedule: \"[{ S[i] -> [i]; R[i] -> [i]; U[i] -> [i] }]\", child: { sequence: [ { filter: \"{ S[i] }\" }, { filter: \"{ U[i] }\" }, { filter: \"{ R[i] }\" } ] } } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      poly.write %x, %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
    poly.stmt "U" domain <"[n] -> { U[i] : 0 <= i < n and i > n }"> {
    ^bb0(%i : index):
      %t = poly.read %T <"{ U[i] -> T[i] }"> : memref<?xf64>
      poly.write %t, %A <"{ U[i] -> A[i] }"> : memref<?xf64>
    }
    poly.stmt "R" domain <"[n] -> { R[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %a = poly.read %A <"{ R[i] -> A[i] }"> : memref<?xf64>
      poly.write %a, %A <"{ R[i] -> A[i + 1] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @some(
// CHECK-NEXT:    poly.scop "some" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"] context <"[n] -> {  : n > 0 }"> schedule <"{{[^U]+}}"> {
// CHECK-NEXT:      poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
// CHECK-NEXT:      ^bb0(%i: index):
// CHECK-NEXT:        poly.write %x, %A <"{ S[i] -> A[i] }"> : memref<?xf64>
// CHECK-NEXT:      }
// CHECK-NEXT:      poly.stmt "R" domain <"[n] -> { R[i] : 0 <= i < n }"> {
// CHECK-NEXT:      ^bb0(%i_1: index):
// CHECK-NEXT:        %a = poly.read %A <"{ R[i] -> A[i] }"> : memref<?xf64>
// CHECK-NEXT:        poly.write %a, %A <"{ R[i] -> A[1 + i] }"> : memref<?xf64>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

func.func @none(%A : memref<?xf64>, %n : index, %x : f64) {
  poly.scop "none" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n and i > n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n and i > n }"> {
    ^bb0(%i : index):
      poly.write %x, %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @none(
// CHECK-NEXT:    func.return
