// RUN: polyopt-opt %s -p clean-values | filecheck %s

// The same in loops of scf and affine as between blocks: what is known around a loop is known in it,
// what is known in it is not known behind it, and a loop between two loads may store.

func.func private @effect(index) -> ()

func.func @structured(%A: memref<?xf64>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %A[%c0] : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %one = arith.constant 1 : index
    %next = arith.addi %i, %one : index
    %again = arith.addi %i, %c1 : index
    %unused = arith.muli %i, %i : index
    memref.store %x, %A[%next] : memref<?xf64>
    func.call @effect(%again) : (index) -> ()
  }
  %y = memref.load %A[%c0] : memref<?xf64>
  memref.store %y, %A[%n] : memref<?xf64>
  func.return
}

// CHECK-LABEL: func.func @structured
// CHECK-NEXT:    %c0 = arith.constant 0
// CHECK-NEXT:    %c1 = arith.constant 1
// CHECK-NEXT:    %x = memref.load %A[%c0]
// CHECK-NEXT:    scf.for %i
// CHECK-NEXT:      %next = arith.addi %i, %c1
// CHECK-NEXT:      memref.store %x, %A[%next]
// CHECK-NEXT:      func.call @effect(%next)
// CHECK-NEXT:    }
// CHECK-NEXT:    %y = memref.load %A[%c0]
// CHECK-NEXT:    memref.store %y, %A[%n]

func.func @siblings(%A: memref<?xindex>, %n: index, %c: i1) {
  scf.if %c {
    %s = arith.addi %n, %n : index
    memref.store %s, %A[%n] : memref<?xindex>
  } else {
    %t = arith.addi %n, %n : index
    memref.store %t, %A[%n] : memref<?xindex>
  }
  %u = arith.addi %n, %n : index
  memref.store %u, %A[%u] : memref<?xindex>
  func.return
}

// CHECK-LABEL: func.func @siblings
// CHECK:         %s = arith.addi
// CHECK:         %t = arith.addi
// CHECK:         %u = arith.addi

func.func @affine(%A: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %p = affine.apply affine_map<(d0) -> (2 * d0)> (%i)
    %q = affine.apply affine_map<(d0) -> (2 * d0)> (%i)
    %x = "affine.load"(%A, %p) <{map = affine_map<(d0) -> (d0)>}> : (memref<?xf64>, index) -> f64
    %y = "affine.load"(%A, %q) <{map = affine_map<(d0) -> (d0)>}> : (memref<?xf64>, index) -> f64
    %z = "affine.load"(%A, %q) <{map = affine_map<(d0) -> (d0 + 1)>}> : (memref<?xf64>, index) -> f64
    %s = arith.addf %x, %y : f64
    "affine.store"(%s, %A, %i) <{map = affine_map<(d0) -> (d0)>}> : (f64, memref<?xf64>, index) -> ()
  }
  func.return
}

// CHECK-LABEL: func.func @affine
// CHECK:         %p = affine.apply
// CHECK-NEXT:    %x = affine.load %A[%p]
// CHECK-NEXT:    %s = arith.addf %x, %x
// CHECK-NEXT:    affine.store %s

// A function in a module in the module sees nothing from outside, and is left alone.
builtin.module @inside {
  func.func @g(%n: index) -> index {
    %unused = arith.addi %n, %n : index
    func.return %n : index
  }
}

// CHECK-LABEL: func.func @g
// CHECK-NEXT:    %unused = arith.addi
