// At the edges: loops of one iteration, amounts below zero, strips and copies of more iterations than
// there are, the inner loop alone; and what is refused: a factor below zero, strips of one iteration,
// parts without iterations.
// RUN: polyopt-opt %s -p 'poly-reverse{loop="S.i" scop="reverse_one"},poly-shift{loop="S.i" amount=-3 scop="shift_back"},poly-strip-mine{loop="S.i" size=8 scop="strip_long"},poly-unroll{loop="S.i" count=64 scop="unroll_long"},poly-interchange{first="S.i" second="S.j" scop="inner_interchange"},poly-skew{loop="S.j" by="S.i" factor=-1 scop="inner_skew"},poly-reverse{loop="S.j" scop="inner_reverse"},poly-permute{loops="S.i","S.j" scop="permute_self"},poly-print-loops' | filecheck %s
// RUN: not polyopt-opt %s -p 'poly-scale{loop="S.i" factor=-2 scop="scale_down"}' 2>&1 | filecheck %s --check-prefix=SCALE
// RUN: not polyopt-opt %s -p 'poly-strip-mine{loop="S.i" size=1 scop="strip_one"}' 2>&1 | filecheck %s --check-prefix=STRIP
// RUN: not polyopt-opt %s -p 'poly-peel{loop="S.i" end="first" scop="peel_one"}' 2>&1 | filecheck %s --check-prefix=PEEL
// RUN: not polyopt-opt %s -p 'poly-split{loop="S.i" where="i < 0" scop="split_nowhere"}' 2>&1 | filecheck %s --check-prefix=SPLIT

// The only iteration stays where it is.
func.func @reverse_one(%A : memref<?xf64>, %n : index) {
  poly.scop "reverse_one" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : }">
    schedule <"{ domain: \"[n] -> { S[i] : i = 0 }\", child: { schedule: \"[{ S[i] -> [i] }]\" } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i] : i = 0 }"> iterators ["i"] {
    ^bb0(%i : index):
      %x = arith.constant 1.0 : f64
      poly.write %x, %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK:      // reverse_one:
// CHECK-NEXT: //   S(0);

// An amount below zero: three iterations earlier.
func.func @shift_back(%A : memref<?xf64>, %n : index) {
  poly.scop "shift_back" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\", child: { schedule: \"[{ S[i] -> [i] }]\" } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      %x = arith.constant 1.0 : f64
      poly.write %x, %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK:      // shift_back:
// CHECK-NEXT: //   for (c0 = -3; c0 < n - 3; c0++) // parallel
// CHECK-NEXT: //     S(c0 + 3);

// A strip that is longer than the loop: one, with all of it.
func.func @strip_long(%A : memref<?xf64>, %n : index) {
  poly.scop "strip_long" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < 5 }\", child: { schedule: \"[{ S[i] -> [i] }]\" } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < 5 }"> iterators ["i"] {
    ^bb0(%i : index):
      %x = arith.constant 1.0 : f64
      poly.write %x, %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK:      // strip_long:
// CHECK-NEXT: //   for (c1 = 0; c1 < 5; c1++) // point, parallel
// CHECK-NEXT: //     S(c1);

// More copies than iterations.
func.func @unroll_long(%A : memref<?xf64>, %n : index) {
  poly.scop "unroll_long" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < 3 }\", child: { schedule: \"[{ S[i] -> [i] }]\" } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < 3 }"> iterators ["i"] {
    ^bb0(%i : index):
      %x = arith.constant 1.0 : f64
      poly.write %x, %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK:      // unroll_long:
// CHECK-NEXT: //   for (c1 = 0; c1 < 3; c1++) // unroll, parallel
// CHECK-NEXT: //     S(c1);

// A triangle: the bounds change with the order.
func.func @inner_interchange(%A : memref<?x?xf64>, %n : index) {
  poly.scop "inner_interchange" params(%n) ["n"] arrays(%A : memref<?x?xf64>) ["A"]
    context <"[n] -> { : }">
    schedule <"{ domain: \"[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }\", child: { schedule: \"[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]\" } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }"> iterators ["i", "j"] {
    ^bb0(%i : index, %j : index):
      %x = arith.constant 1.0 : f64
      poly.write %x, %A <"{ S[i, j] -> A[i, j] }"> : memref<?x?xf64>
    }
  }
  func.return
}

// CHECK:      // inner_interchange:
// CHECK-NEXT: //   for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT: //     for (c1 = c0; c1 < n; c1++) // parallel
// CHECK-NEXT: //       S(c1, c0);

// A factor below zero leans the other way.
func.func @inner_skew(%A : memref<?x?xf64>, %n : index) {
  poly.scop "inner_skew" params(%n) ["n"] arrays(%A : memref<?x?xf64>) ["A"]
    context <"[n] -> { : }">
    schedule <"{ domain: \"[n] -> { S[i, j] : 0 <= i < n and 0 <= j < 2 }\", child: { schedule: \"[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]\" } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i, j] : 0 <= i < n and 0 <= j < 2 }"> iterators ["i", "j"] {
    ^bb0(%i : index, %j : index):
      %x = arith.constant 1.0 : f64
      poly.write %x, %A <"{ S[i, j] -> A[i, j] }"> : memref<?x?xf64>
    }
  }
  func.return
}

// CHECK:      // inner_skew:
// CHECK-NEXT: //   for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT: //     for (c1 = -c0; c1 < -c0 + 2; c1++) // parallel
// CHECK-NEXT: //       S(c0, c0 + c1);

// Only the inner loop.
func.func @inner_reverse(%A : memref<?x?xf64>, %n : index) {
  poly.scop "inner_reverse" params(%n) ["n"] arrays(%A : memref<?x?xf64>) ["A"]
    context <"[n] -> { : }">
    schedule <"{ domain: \"[n] -> { S[i, j] : 0 <= i < n and 0 <= j < 4 }\", child: { schedule: \"[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]\" } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i, j] : 0 <= i < n and 0 <= j < 4 }"> iterators ["i", "j"] {
    ^bb0(%i : index, %j : index):
      %x = arith.constant 1.0 : f64
      poly.write %x, %A <"{ S[i, j] -> A[i, j] }"> : memref<?x?xf64>
    }
  }
  func.return
}

// CHECK:      // inner_reverse:
// CHECK-NEXT: //   for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT: //     for (c1 = -3; c1 < 1; c1++) // parallel
// CHECK-NEXT: //       S(c0, -c1);

// The order that they have already.
func.func @permute_self(%A : memref<?x?xf64>, %n : index) {
  poly.scop "permute_self" params(%n) ["n"] arrays(%A : memref<?x?xf64>) ["A"]
    context <"[n] -> { : }">
    schedule <"{ domain: \"[n] -> { S[i, j] : 0 <= i < n and 0 <= j < 4 }\", child: { schedule: \"[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]\" } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i, j] : 0 <= i < n and 0 <= j < 4 }"> iterators ["i", "j"] {
    ^bb0(%i : index, %j : index):
      %x = arith.constant 1.0 : f64
      poly.write %x, %A <"{ S[i, j] -> A[i, j] }"> : memref<?x?xf64>
    }
  }
  func.return
}

// CHECK:      // permute_self:
// CHECK-NEXT: //   for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT: //     for (c1 = 0; c1 < 4; c1++) // parallel
// CHECK-NEXT: //       S(c0, c1);

// By less than zero the order would be another one.
func.func @scale_down(%A : memref<?xf64>, %n : index) {
  poly.scop "scale_down" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\", child: { schedule: \"[{ S[i] -> [i] }]\" } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      %x = arith.constant 1.0 : f64
      poly.write %x, %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// SCALE: error: 'scale S.i -2' cannot be done: a loop is scaled by a positive factor

// A strip of one iteration is that iteration.
func.func @strip_one(%A : memref<?xf64>, %n : index) {
  poly.scop "strip_one" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\", child: { schedule: \"[{ S[i] -> [i] }]\" } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      %x = arith.constant 1.0 : f64
      poly.write %x, %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// STRIP: error: 'strip S.i 1' cannot be done: a tile of fewer than 2 iterations is none

// The first of one iteration: nothing is left behind it.
func.func @peel_one(%A : memref<?xf64>, %n : index) {
  poly.scop "peel_one" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : }">
    schedule <"{ domain: \"[n] -> { S[i] : i = 7 }\", child: { schedule: \"[{ S[i] -> [i] }]\" } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i] : i = 7 }"> iterators ["i"] {
    ^bb0(%i : index):
      %x = arith.constant 1.0 : f64
      poly.write %x, %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// PEEL: error: 'peel S.i first 1' cannot be done: that holds for all of the loop's instances: nothing to split

// No iteration is below zero: one part is empty.
func.func @split_nowhere(%A : memref<?xf64>, %n : index) {
  poly.scop "split_nowhere" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\", child: { schedule: \"[{ S[i] -> [i] }]\" } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      %x = arith.constant 1.0 : f64
      poly.write %x, %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// SPLIT: error: 'split S.i where i < 0' cannot be done: that holds for none of the loop's instances: nothing to split
