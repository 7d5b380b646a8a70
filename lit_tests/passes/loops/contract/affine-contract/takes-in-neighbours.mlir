// What sets the sums to zero and what copies them back works on the tile in registers: by themselves
// both are passes over memory. B is packed by the first iteration of the loop around.
// RUN: polyopt-opt %s \
// RUN:   -p 'affine-contract,contract-plan{march="x86-64-v3" rows=2 vectors=1},contract-fuse,contract-block,contract-place,contract-to-affine' \
// RUN:   | filecheck %s

func.func @rows(%r : index, %n : index, %A : memref<?x?x?xf64> {llvm.noalias},
                %B : memref<?x?xf64> {llvm.noalias}, %X : memref<?x?xf64> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f64
  affine.for %b = 0 to %r {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to 64 {
        affine.store %zero, %X[%i, %j] : memref<?x?xf64>
      }
    }
    affine.for %i = 0 to %n {
      affine.for %j = 0 to 64 {
        affine.for %k = 0 to 64 {
          %x = affine.load %X[%i, %j] : memref<?x?xf64>
          %p = affine.load %A[%b, %i, %k] : memref<?x?x?xf64>
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
// CHECK:         [[B:%.*]] = memref.alloc() {alignment = 64 : i64} : memref<16x64x4xf64>
// CHECK-NEXT:    affine.for %b = 0 to
// CHECK-NEXT:      "affine.if"
// CHECK:           "affine.if"(%b) <{condition = affine_set<(d0) : ((d0 + -1) >= 0)>}> ({
// CHECK-NEXT:        affine.yield
// CHECK-NEXT:      }, {
// CHECK-NEXT:        affine.for %t = 0 to
// CHECK:               affine.vector_store %{{.*}}, [[B]]
// CHECK:           affine.for %jt = 0
// CHECK:             "affine.if"(%kb) <{condition = affine_set<(d0) : ((d0 * -1) >= 0)>}> ({
// CHECK-NEXT:          [[ZERO:%.*]] = vector.broadcast %zero
// CHECK-NEXT:          affine.yield [[ZERO]], [[ZERO]]
// CHECK:             affine.vector_store %{{.*}}, %X[%ib + %it * 2 + 1
// CHECK-NEXT:        "affine.if"
// CHECK-NEXT:          affine.vector_store %{{.*}}, %A[%b, %ib + %it * 2
// CHECK:           }, {
// CHECK:             affine.for %i
// CHECK-NEXT:          affine.for %j
// CHECK-NEXT:            affine.store %zero, %X
// CHECK:           }) : (index) -> ()
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc [[B]]
