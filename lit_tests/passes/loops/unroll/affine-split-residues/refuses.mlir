// Left alone: too long steps, remainders of what may be negative, dividends that something else
// enters, loops that are not innermost.
// RUN: polyopt-opt %s -p affine-split-residues | filecheck %s

func.func @long_steps(%n : index, %A : memref<?xf32>, %B : memref<?xf32>) {
  affine.for %x = 0 to %n {
    %a = affine.load %A[%x floordiv 5] : memref<?xf32>
    affine.store %a, %B[%x] : memref<?xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @long_steps
// CHECK-COUNT-1: affine.for
// CHECK-NOT:     affine.for

func.func @may_be_negative(%m : index, %n : index, %B : memref<?xi32>) {
  %two = arith.constant 2 : i32
  affine.for %x = %m to %n {
    %i = arith.index_cast %x : index to i32
    %r = arith.remsi %i, %two : i32
    affine.store %r, %B[%x + 100] : memref<?xi32>
  }
  func.return
}

// CHECK-LABEL: func.func @may_be_negative
// CHECK-COUNT-1: affine.for
// CHECK-NOT:     affine.for

func.func @further_out(%n : index, %A : memref<?xf32>, %B : memref<?x?xf32>) {
  affine.for %y = 0 to %n {
    affine.for %x = 0 to %n {
      %a = affine.load %A[%y floordiv 2] : memref<?xf32>
      affine.store %a, %B[%y, %x] : memref<?x?xf32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @further_out
// CHECK-COUNT-2: affine.for
// CHECK-NOT:     affine.for
// CHECK:         func.return
