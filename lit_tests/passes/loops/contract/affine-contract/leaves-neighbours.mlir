// What is copied over elements that other rows still read stays where it is, and so does what is not
// the last word before the product. A panel that the loop around changes is packed each time.
// RUN: polyopt-opt %s \
// RUN:   -p 'affine-contract,contract-plan{march="x86-64-v3" rows=2 vectors=1},contract-fuse,contract-block,contract-place,contract-to-affine' \
// RUN:   | filecheck %s

func.func @rows(%r : index, %n : index, %A : memref<?x?x?xf64> {llvm.noalias},
                %B : memref<?x?xf64> {llvm.noalias}, %X : memref<?x?xf64> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f64
  affine.for %b = 0 to %r {
    affine.store %zero, %B[%b, 0] : memref<?x?xf64>
    affine.for %i = 0 to %n {
      affine.for %j = 0 to 64 {
        affine.store %zero, %X[%i, %j] : memref<?x?xf64>
      }
    }
    affine.store %zero, %X[0, %b] : memref<?x?xf64>
    affine.for %i = 0 to %n {
      affine.for %j = 0 to 64 {
        affine.for %k = 0 to 64 {
          %x = affine.load %X[%i, %j] : memref<?x?xf64>
          %p = affine.load %A[%b, %k, %i] : memref<?x?x?xf64>
          %q = affine.load %B[%k, %j] : memref<?x?xf64>
          %t = arith.mulf %p, %q : f64
          %y = arith.addf %x, %t : f64
          affine.store %y, %X[%i, %j] : memref<?x?xf64>
        }
      }
    }
    affine.for %i = 0 to %n {
      affine.for %j = 0 to 64 {
        %x = affine.load %X[%i, %j] : memref<?x?xf64>
        affine.store %x, %A[%b, %i, %j] : memref<?x?x?xf64>
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @rows
// CHECK-NEXT:    arith.constant
// CHECK-NEXT:    affine.for %b = 0 to
// CHECK-NEXT:      affine.store %zero, %B
// CHECK-NEXT:      affine.for %i = 0 to
// CHECK-NEXT:        affine.for %j = 0 to
// CHECK-NEXT:          affine.store %zero, %X
// CHECK:           "affine.if"
// CHECK:             memref.alloc
// CHECK:             memref.alloc
// CHECK:             affine.for %jb
// CHECK-NEXT:          affine.for %t = 0 to
// CHECK:             memref.dealloc
// CHECK-NEXT:        memref.dealloc
// CHECK:           }) : (index) -> ()
// CHECK-NEXT:      affine.for %i
// CHECK-NEXT:        affine.for %j
// CHECK-NEXT:          affine.load %X
// CHECK-NEXT:          affine.store %{{.*}}, %A
