// RUN: polyopt-opt %s -p promote-scalars | filecheck %s
// RUN: polyopt-opt %s -p 'promote-scalars{all=true}' | filecheck %s --check-prefix=ALL

// A variable that steers a loop or a subscript becomes a value, an accumulator stays in memory
// unless everything is promoted. An argument's own variable is the argument.

func.func @sum(%n: i32, %A: memref<?xf64>) -> f64 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f64
  %n_addr = memref.alloca() : memref<i32>
  %i = memref.alloca() : memref<i32>
  %s = memref.alloca() : memref<f64>
  memref.store %n, %n_addr[] : memref<i32>
  memref.store %f0, %s[] : memref<f64>
  memref.store %zero, %i[] : memref<i32>
  cf.br ^header
^header:
  %i0 = memref.load %i[] : memref<i32>
  %n0 = memref.load %n_addr[] : memref<i32>
  %c = arith.cmpi slt, %i0, %n0 : i32
  cf.cond_br %c, ^body, ^exit
^body:
  %i1 = memref.load %i[] : memref<i32>
  %i2 = arith.index_cast %i1 : i32 to index
  %a = memref.load %A[%i2] : memref<?xf64>
  %s0 = memref.load %s[] : memref<f64>
  %s1 = arith.addf %s0, %a : f64
  memref.store %s1, %s[] : memref<f64>
  %i3 = memref.load %i[] : memref<i32>
  %i4 = arith.addi %i3, %one overflow<nsw> : i32
  memref.store %i4, %i[] : memref<i32>
  cf.br ^header
^exit:
  %r = memref.load %s[] : memref<f64>
  func.return %r : f64
}

// CHECK-LABEL: func.func @sum
// CHECK-NOT:     memref<i32>
// CHECK:         %[[S:.*]] = memref.alloca() : memref<f64>
// CHECK:         cf.br ^[[HEADER:.*]](%zero : i32)
// CHECK-NEXT:  ^[[HEADER]](%i: i32):
// CHECK-NEXT:    arith.cmpi slt, %i, %n : i32
// CHECK:         memref.store %{{.*}}, %[[S]][] : memref<f64>
// CHECK:         cf.br ^[[HEADER]](%{{.*}} : i32)

// ALL-LABEL:   func.func @sum
// ALL-NOT:       memref.alloca
// ALL:         ^{{.*}}(%i: i32, %{{.*}}: f64):
