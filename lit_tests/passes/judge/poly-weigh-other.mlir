// RUN: polyopt-opt %s -p 'poly-weigh{march="x86-64-v3"}' | filecheck %s

// Asked of values that the static control part does not have, the question stays open.

builtin.module {
  func.func @f(%n: index, %m: index, %a: memref<8xi32>) {
    %zero = arith.constant 0 : i32
    %pays = poly.pays "f" params(%n, %m)
    cf.cond_br %pays, ^scop, ^original
  ^scop:
    poly.scop "f" params(%n) ["n"] arrays(%a : memref<8xi32>) ["a"] context <"{  :  }"> schedule <"{ domain: \22{  }\22, child: { schedule: \22[{ S0[i] -> [(i)] }]\22 } }"> {
      poly.stmt "S0" domain <"{ S0[i] : false }"> iterators ["i"] {
      ^bb0(%i: index):
        poly.write %zero, %a <"{ S0[i] -> a[i] }"> : memref<8xi32>
      }
    }
    cf.br ^original
  ^original:
    func.return
  }
}

// CHECK: poly.pays "f" params(%n, %m)
// CHECK-NEXT: cond_br
