// RUN: polyopt-opt %s -p if-convert | filecheck %s

// None of these branches may become a selection.

// The element may not exist, or may not be written, where C does not touch it.
func.func @store_in_one_arm(%A: memref<?xf64>, %i: index, %x: f64, %y: f64) {
  %less = arith.cmpf olt, %x, %y : f64
  cf.cond_br %less, ^then, ^join
^then:
  memref.store %x, %A[%i] : memref<?xf64>
  cf.br ^join
^join:
  func.return
}

// CHECK-LABEL: func.func @store_in_one_arm
// CHECK:         cf.cond_br
// CHECK:         memref.store

func.func @load_in_one_arm(%A: memref<?xf64>, %i: index, %x: f64, %y: f64) -> f64 {
  %less = arith.cmpf olt, %x, %y : f64
  cf.cond_br %less, ^then, ^join(%x : f64)
^then:
  %a = memref.load %A[%i] : memref<?xf64>
  cf.br ^join(%a : f64)
^join(%r: f64):
  func.return %r : f64
}

// CHECK-LABEL: func.func @load_in_one_arm
// CHECK:         cf.cond_br
// CHECK:         memref.load

// A division may trap.
func.func @division(%x: i32, %y: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^then, ^join(%x : i32)
^then:
  %q = arith.divsi %x, %y : i32
  cf.br ^join(%q : i32)
^join(%r: i32):
  func.return %r : i32
}

// CHECK-LABEL: func.func @division
// CHECK:         cf.cond_br
// CHECK:         arith.divsi

// What was loaded before has been stored since.
func.func @stored_since(%A: memref<?xf64>, %B: memref<?xf64>, %i: index, %c: i1) -> f64 {
  %x = memref.load %A[%i] : memref<?xf64>
  memref.store %x, %B[%i] : memref<?xf64>
  cf.cond_br %c, ^then, ^join(%x : f64)
^then:
  %a = memref.load %A[%i] : memref<?xf64>
  cf.br ^join(%a : f64)
^join(%r: f64):
  func.return %r : f64
}

// CHECK-LABEL: func.func @stored_since
// CHECK:         cf.cond_br
// CHECK:         memref.load

// An affine condition splits domains exactly as a branch.
func.func @affine_condition(%A: memref<?xf64>, %i: i32, %j: i32, %k: index, %x: f64, %y: f64) {
  %less = arith.cmpi slt, %i, %j : i32
  cf.cond_br %less, ^then, ^else
^then:
  memref.store %x, %A[%k] : memref<?xf64>
  cf.br ^join
^else:
  memref.store %y, %A[%k] : memref<?xf64>
  cf.br ^join
^join:
  func.return
}

// CHECK-LABEL: func.func @affine_condition
// CHECK:         cf.cond_br
