// RUN: polyopt-opt %s -p 'poly-weigh{march="x86-64-v3"}' | filecheck %s

// What only runs with numbers that no parameter has (two conditions on what 64 bits hold) does not run: nothing is expected of it.

builtin.module {
  func.func @f(%n: index, %a: memref<?xi32>) {
    %zero = arith.constant 0 : i32
    %pays = poly.pays "f" params(%n)
    cf.cond_br %pays, ^scop, ^original
  ^scop:
    poly.scop "f" params(%n) ["n"] arrays(%a : memref<?xi32>) ["a"] context <"[n] -> {  : n >= 36893488147419103232 }"> schedule <"{ domain: \22[n] -> { S0[i] : 0 <= i < n }\22, child: { schedule: \22[n] -> [{ S0[i] -> [(i)] }]\22 } }"> {
      poly.stmt "S0" domain <"[n] -> { S0[i] : 0 <= i < n }"> iterators ["i"] {
      ^bb0(%i: index):
        poly.write %zero, %a <"[n] -> { S0[i] -> a[i] }"> : memref<?xi32>
      }
    }
    cf.br ^original
  ^original:
    func.return
  }
}

// CHECK:     poly.pays "f"
// CHECK-NOT: expected
