// Each lane has a sum of its own, which waits in a register, and which the source adds up row by
// row: that is done by one lane after the other behind the sums.
// RUN: polyopt-opt %s -p 'affine-lanes{march="x86-64-v3" vectors=1 force=true}' | filecheck %s

func.func @total(%n : index, %m : index, %A : memref<?x?xf64> {llvm.noalias},
                %q : memref<?xf64> {llvm.noalias}, %t : memref<f64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %x = affine.load %A[%i, %j] : memref<?x?xf64>
      %s = affine.load %q[%i] : memref<?xf64>
      %y = arith.addf %s, %x : f64
      affine.store %y, %q[%i] : memref<?xf64>
    }
    %z = affine.load %q[%i] : memref<?xf64>
    %u = affine.load %t[] : memref<f64>
    %v = arith.addf %u, %z : f64
    affine.store %v, %t[] : memref<f64>
  }
  func.return
}

// CHECK-LABEL: func.func @total
// CHECK:         affine.for %i = 0 to {{.*}} step 4
// CHECK:           affine.for %time = {{.*}} iter_args(
// CHECK:             affine.yield {{.*}} : vector<4xf64>
// CHECK:           pvec.write {{.*}}, %q[%i
// CHECK:           affine.for %i{{.*}} = {{.*}}(%i) to
// CHECK:             affine.load %t[]
// CHECK-NEXT:        arith.addf {{.*}} : f64
// CHECK-NEXT:        affine.store {{.*}}, %t[]

// A sum that takes up the one of the row before is not there before that one is.
func.func @chained(%n : index, %m : index, %A : memref<?x?xf64> {llvm.noalias},
                %q : memref<?xf64> {llvm.noalias}, %t : memref<f64> {llvm.noalias}) {
  affine.for %i = 1 to %n {
    affine.for %j = 0 to %m {
      %x = affine.load %q[%i - 1] : memref<?xf64>
      %s = affine.load %q[%i] : memref<?xf64>
      %y = arith.addf %s, %x : f64
      affine.store %y, %q[%i] : memref<?xf64>
    }
    %z = affine.load %q[%i] : memref<?xf64>
    %u = affine.load %t[] : memref<f64>
    %v = arith.addf %u, %z : f64
    affine.store %v, %t[] : memref<f64>
  }
  func.return
}

// CHECK-LABEL: func.func @chained
// CHECK-NEXT:    affine.for %i = 1 to
// CHECK-NOT:     vector

// What has no lanes, as a call, is done by one lane after the other between the sums and the rows
// that are added up.
func.func @called(%n : index, %m : index, %A : memref<?x?xf64> {llvm.noalias},
                 %q : memref<?xf64> {llvm.noalias}, %g : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %x = affine.load %A[%i, %j] : memref<?x?xf64>
      %s = affine.load %q[%i] : memref<?xf64>
      %y = arith.addf %s, %x : f64
      affine.store %y, %q[%i] : memref<?xf64>
    }
    %z = affine.load %q[%i] : memref<?xf64>
    %e = math.exp %z : f64
    affine.store %e, %q[%i] : memref<?xf64>
    affine.for %k = 0 to %m {
      %x = affine.load %A[%i, %k] : memref<?x?xf64>
      %p = affine.load %q[%i] : memref<?xf64>
      %o = affine.load %g[%k] : memref<?xf64>
      %u = arith.mulf %p, %x : f64
      %v = arith.addf %o, %u : f64
      affine.store %v, %g[%k] : memref<?xf64>
    } {poly.loop = #poly.loop<parallel>}
  }
  func.return
}

// CHECK-LABEL: func.func @called
// CHECK:         affine.for %i = 0 to {{.*}} step 4
// CHECK:           affine.yield {{.*}} : vector<4xf64>
// CHECK:           pvec.write {{.*}}, %q[%i
// CHECK:           affine.for [[LANE:%i.*]] = {{.*}}(%i) to
// CHECK:             affine.load %q[[[LANE]]]
// CHECK-NEXT:        math.exp {{.*}} : f64
// CHECK-NEXT:        affine.store {{.*}}, %q[[[LANE]]]
// CHECK:           affine.for [[ROW:%i.*]] = {{.*}}(%i) to
// CHECK-NEXT:        affine.for %k = 0 to %m
// CHECK-NEXT:          affine.load %A[[[ROW]], %k]

// A call of what the rows before were added to has to wait for them.
func.func @chained_call(%n : index, %m : index, %A : memref<?x?xf64> {llvm.noalias},
                 %q : memref<?xf64> {llvm.noalias}, %g : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %x = affine.load %A[%i, %j] : memref<?x?xf64>
      %s = affine.load %q[%i] : memref<?xf64>
      %y = arith.addf %s, %x : f64
      affine.store %y, %q[%i] : memref<?xf64>
    }
    %z = affine.load %g[0] : memref<?xf64>
    %e = math.exp %z : f64
    affine.store %e, %q[%i] : memref<?xf64>
    affine.for %k = 0 to %m {
      %p = affine.load %q[%i] : memref<?xf64>
      %o = affine.load %g[%k] : memref<?xf64>
      %v = arith.addf %o, %p : f64
      affine.store %v, %g[%k] : memref<?xf64>
    } {poly.loop = #poly.loop<parallel>}
  }
  func.return
}

// CHECK-LABEL: func.func @chained_call
// CHECK-NEXT:    affine.for %i = 0 to
// CHECK-NOT:     vector
