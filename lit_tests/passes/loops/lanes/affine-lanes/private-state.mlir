// A filter along rows whose state is in a variable: whole rows of lanes are loaded and stored in squares, the state is
// carried in a register, and what was just stored is loaded no more. Rows that are left over go lane by lane.
// RUN: polyopt-opt %s -p 'affine-lanes{march="x86-64-v3" vectors=1 force=true}' | filecheck %s

func.func @filter(%n : index, %m : index, %c : f64, %A : memref<?x?xf64> {llvm.noalias}, %B : memref<?x?xf64> {llvm.noalias}) {
  %s = memref.alloca() : memref<f64>
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %n {
    affine.store %zero, %s[] : memref<f64>
    affine.for %j = 0 to %m {
      %b = affine.load %B[%i, %j] : memref<?x?xf64>
      %y = affine.load %s[] : memref<f64>
      %p = arith.mulf %c, %y : f64
      %x = arith.addf %b, %p : f64
      affine.store %x, %A[%i, %j] : memref<?x?xf64>
      %again = affine.load %A[%i, %j] : memref<?x?xf64>
      affine.store %again, %s[] : memref<f64>
    }
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// A state that takes the row's next element from memory, which the lane has stored just before: no squares.
func.func @behind(%n : index, %m : index, %c : f64, %A : memref<?x?xf64> {llvm.noalias}) {
  %s = memref.alloca() : memref<f64>
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %n {
    affine.store %zero, %s[] : memref<f64>
    affine.for %j = 1 to %m {
      %a = affine.load %A[%i, %j - 1] : memref<?x?xf64>
      %y = affine.load %s[] : memref<f64>
      %p = arith.mulf %c, %y : f64
      %x = arith.addf %a, %p : f64
      affine.store %x, %A[%i, %j] : memref<?x?xf64>
      affine.store %p, %s[] : memref<f64>
    }
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @filter
// CHECK:         affine.if
// CHECK:           [[LAST:%.*]] = affine.for %stretch = 0 to {{.*}} step 4 iter_args({{.*}} = {{%.*}}) -> (vector<4xf64>) {
// CHECK-NEXT:        pvec.read_square %B[%i, %stretch] by [1, 0]
// CHECK-NOT:         %A[%i, %time
// CHECK:             [[NEXT:%.*]] = affine.for %time
// CHECK-NOT:         %A[%i, %time
// CHECK:             pvec.write_square {{.*}}, %A[%i, %stretch] by [1, 0]
// CHECK-NEXT:        affine.yield [[NEXT]] : vector<4xf64>
// CHECK:           affine.for {{.*}} iter_args({{.*}} = [[LAST]]) -> (vector<4xf64>)
// CHECK:           pvec.write {{%.*}}, %s[] : memref<f64>, vector<4xf64>

// CHECK-LABEL: func.func @behind
// CHECK-NOT:     square
// CHECK:         pvec.read %A[%i, %time + -1] by [1, 0]
// CHECK-NOT:     square
