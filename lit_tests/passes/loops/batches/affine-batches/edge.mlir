// Of elements with gaps only those that are written are written back, under masks; nothing is copied of elements that already lie side by side.
// RUN: polyopt-opt -p 'affine-batches{march="x86-64-v3" force=true}' %s | filecheck %s

// CHECK-LABEL: func.func @gaps
// CHECK:         pvec.write_square {{.*}}, %{{.*}}[0, 0] by
// CHECK:         pvec.write %{{.*}}, %A[%b, 7] masked
// CHECK:         pvec.write %{{.*}}, %A[%b + 3, 7] masked
// CHECK-NOT:     pvec.write_square {{.*}} %A
// CHECK:       return
func.func @gaps(%n : index, %c : f64, %A : memref<?x16xf64> {llvm.noalias}) {
  affine.for %b = 0 to %n {
    affine.for %k = 1 to 3 {
      %0 = affine.load %A[%b, %k * 7 - 7] : memref<?x16xf64>
      %1 = arith.mulf %0, %c : f64
      affine.store %1, %A[%b, %k * 7] : memref<?x16xf64>
    }
  }
  return
}

// CHECK-LABEL: func.func @beside
// CHECK-NOT:     alloca
// CHECK:         pvec.read %A[%k + -1, %b] : memref<?x16xf64>, vector<4xf64>
func.func @beside(%c : f64, %A : memref<?x16xf64> {llvm.noalias}) {
  affine.for %b = 0 to 16 {
    affine.for %k = 1 to 5 {
      %0 = affine.load %A[%k - 1, %b] : memref<?x16xf64>
      %1 = arith.mulf %0, %c : f64
      affine.store %1, %A[%k, %b] : memref<?x16xf64>
    }
  }
  return
}
