// The best of values under a condition is the best of all, of the least there is where it does not hold: an update
// whose order is free.
// RUN: polyopt-opt %s -p if-convert | filecheck %s

func.func @greatest(%c : i1, %x : i32, %m : i32) -> i32 {
  cf.cond_br %c, ^inner, ^join(%m : i32)
^inner:
  %better = arith.cmpi sgt, %x, %m : i32
  %new = arith.select %better, %x, %m : i32
  cf.br ^join(%new : i32)
^join(%r : i32):
  func.return %r : i32
}

// CHECK-LABEL: func.func @greatest
// CHECK:         %[[LEAST:.*]] = arith.constant -2147483648 : i32
// CHECK:         %[[X:.*]] = arith.select %c, %x, %[[LEAST]] : i32
// CHECK:         %r = arith.maxsi %[[X]], %m : i32

// Turned: less, the other arm, the operands the other way round.

func.func @least(%c : i1, %x : i8, %m : i8) -> i8 {
  cf.cond_br %c, ^join(%m : i8), ^inner
^inner:
  %better = arith.cmpi ugt, %m, %x : i8
  %new = arith.select %better, %x, %m : i8
  cf.br ^join(%new : i8)
^join(%r : i8):
  func.return %r : i8
}

// CHECK-LABEL: func.func @least
// CHECK:         %[[MOST:.*]] = arith.constant -1 : i8
// CHECK:         %[[X:.*]] = arith.select %c, %[[MOST]], %x : i8
// CHECK:         %r = arith.minui %[[X]], %m : i8

// Floating-point numbers where neither NaN nor the sign of zero matter; all of them, or finite ones.

func.func @floats(%c : i1, %x : f32, %m : f32) -> f32 {
  cf.cond_br %c, ^inner, ^join(%m : f32)
^inner:
  %better = arith.cmpf ogt, %x, %m fastmath<nnan,nsz> : f32
  %new = arith.select %better, %x, %m : f32
  cf.br ^join(%new : f32)
^join(%r : f32):
  func.return %r : f32
}

// CHECK-LABEL: func.func @floats
// CHECK:         %[[LEAST:.*]] = arith.constant 0xff800000 : f32
// CHECK:         %[[X:.*]] = arith.select %c, %x, %[[LEAST]] : f32
// CHECK:         %r = arith.maxnumf %[[X]], %m fastmath<nnan,nsz> : f32

func.func @finite(%c : i1, %x : f32, %m : f32) -> f32 {
  cf.cond_br %c, ^inner, ^join(%m : f32)
^inner:
  %better = arith.cmpf olt, %x, %m fastmath<nnan,ninf,nsz> : f32
  %new = arith.select %better, %x, %m : f32
  cf.br ^join(%new : f32)
^join(%r : f32):
  func.return %r : f32
}

// CHECK-LABEL: func.func @finite
// CHECK:         %[[MOST:.*]] = arith.constant 3.40282347e+38 : f32
// CHECK:         arith.minnumf

// NaN would be another result.

func.func @strict(%c : i1, %x : f32, %m : f32) -> f32 {
  cf.cond_br %c, ^inner, ^join(%m : f32)
^inner:
  %better = arith.cmpf ogt, %x, %m : f32
  %new = arith.select %better, %x, %m : f32
  cf.br ^join(%new : f32)
^join(%r : f32):
  func.return %r : f32
}

// CHECK-LABEL: func.func @strict
// CHECK:         arith.cmpf ogt, %x, %m : f32
// CHECK-NOT:     maxnumf

// Where the best is goes with it: the search stays one.

func.func @place(%c : i1, %x : i32, %m : i32, %i : i32, %p : i32) -> (i32, i32) {
  cf.cond_br %c, ^inner, ^join(%m, %p : i32, i32)
^inner:
  %better = arith.cmpi sgt, %x, %m : i32
  %new = arith.select %better, %x, %m : i32
  %at = arith.select %better, %i, %p : i32
  cf.br ^join(%new, %at : i32, i32)
^join(%r : i32, %q : i32):
  func.return %r, %q : i32, i32
}

// CHECK-LABEL: func.func @place
// CHECK-NOT:     maxsi
// CHECK:         arith.select %c, %{{.*}}, %m : i32

// Conditions in conditions; what an arm has stored to a variable does not keep it from loading what others see.

func.func @sum_and_greatest(%a : memref<?xi32>, %i : index, %n : i32) {
  %s = memref.alloca() : memref<i32>
  %m = memref.alloca() : memref<i32>
  %zero = arith.constant 0 : i32
  memref.store %zero, %s[] : memref<i32>
  memref.store %zero, %m[] : memref<i32>
  cf.br ^loop
^loop:
  %x = memref.load %a[%i] : memref<?xi32>
  %c = arith.cmpi slt, %x, %n : i32
  cf.cond_br %c, ^then, ^join
^then:
  %old = memref.load %s[] : memref<i32>
  %sum = arith.addi %old, %x : i32
  memref.store %sum, %s[] : memref<i32>
  %again = memref.load %a[%i] : memref<?xi32>
  %best = memref.load %m[] : memref<i32>
  %better = arith.cmpi sgt, %again, %best : i32
  cf.cond_br %better, ^inner, ^join
^inner:
  memref.store %again, %m[] : memref<i32>
  cf.br ^join
^join:
  %s1 = memref.load %s[] : memref<i32>
  %m1 = memref.load %m[] : memref<i32>
  %both = arith.addi %s1, %m1 : i32
  %more = arith.cmpi slt, %both, %n : i32
  cf.cond_br %more, ^loop, ^end
^end:
  func.return
}

// CHECK-LABEL: func.func @sum_and_greatest
// CHECK:         %[[X:.*]] = arith.select %c, %x, %{{.*}} : i32
// CHECK:         arith.addi %{{.*}}, %[[X]] : i32
// CHECK:         %[[Y:.*]] = arith.select %c, %x, %{{.*}} : i32
// CHECK:         arith.maxsi %[[Y]], %{{.*}} : i32
// CHECK-NEXT:    memref.store
