// RUN: polyopt-opt -p poly-to-affine %s | filecheck %s

// Versions for whole blocks have temporaries of their own where these are the static control part's
// alone; what is read by another one is one array.

// CHECK-LABEL: func.func @shared
// CHECK: memref.alloc
// CHECK-NOT: memref.alloc
func.func @shared(%n: index, %m: index, %B: memref<8x8xf64>) {
  %t = memref.alloc() : memref<8x8xf64>
  poly.scop "first" params(%n) ["n"] arrays(%t : memref<8x8xf64>) ["t"] context <"[n] -> { : n <= 8 }"> schedule <"{ domain: \22[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }\22, child: { schedule: \22[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]\22 } }"> {
    poly.stmt "S" domain <"[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }"> iterators ["i", "j"] {
    ^bb0(%i: index, %j: index):
      %v = arith.constant 1.0 : f64
      poly.write %v, %t <"{ S[i, j] -> t[i, j] }"> : memref<8x8xf64>
    }
  }
  poly.scop "second" params(%m) ["m"] arrays(%t, %B : memref<8x8xf64>, memref<8x8xf64>) ["t", "B"] context <"[m] -> { : m <= 8 }"> schedule <"{ domain: \22[m] -> { S[i, j] : 0 <= i < m and 0 <= j < m }\22, child: { schedule: \22[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]\22 } }"> {
    poly.stmt "S" domain <"[m] -> { S[i, j] : 0 <= i < m and 0 <= j < m }"> iterators ["i", "j"] {
    ^bb0(%i: index, %j: index):
      %v = poly.read %t <"{ S[i, j] -> t[i, j] }"> : memref<8x8xf64>
      poly.write %v, %B <"{ S[i, j] -> B[i, j] }"> : memref<8x8xf64>
    }
  }
  memref.dealloc %t : memref<8x8xf64>
  func.return
}

// CHECK-LABEL: func.func @own
// CHECK-COUNT-2: memref.alloc
func.func @own(%n: index, %B: memref<8x8xf64>) {
  %t = memref.alloc() : memref<8x8xf64>
  poly.scop "own" params(%n) ["n"] arrays(%t, %B : memref<8x8xf64>, memref<8x8xf64>) ["t", "B"] context <"[n] -> { : n <= 8 }"> schedule <"{ domain: \22[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }\22, child: { schedule: \22[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]\22 } }"> {
    poly.stmt "S" domain <"[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }"> iterators ["i", "j"] {
    ^bb0(%i: index, %j: index):
      %v = poly.read %B <"{ S[i, j] -> B[i, j] }"> : memref<8x8xf64>
      poly.write %v, %t <"{ S[i, j] -> t[i, j] }"> : memref<8x8xf64>
    }
  }
  memref.dealloc %t : memref<8x8xf64>
  func.return
}
