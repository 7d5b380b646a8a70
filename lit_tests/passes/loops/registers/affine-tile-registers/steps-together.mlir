// Columns lie two elements apart and the serial loop goes on by one: two of its iterations run together, so that they pick their
// vectors out of the same ones. What is left of seven is one; where the end is not known a loop does what is left.
// RUN: polyopt-opt %s -p 'affine-tile-registers{march="x86-64-v4"}' | filecheck %s

func.func @known(%h : memref<7xf64> {llvm.noalias}, %x : memref<263xf64> {llvm.noalias}, %y : memref<128xf64> {llvm.noalias}) {
  affine.for %i = 0 to 128 {
    affine.for %k = 0 to 7 {
      %a = affine.load %h[%k] : memref<7xf64>
      %b = affine.load %x[%i * 2 + %k] : memref<263xf64>
      %c = arith.mulf %a, %b : f64
      %d = affine.load %y[%i] : memref<128xf64>
      %e = arith.addf %d, %c : f64
      affine.store %e, %y[%i] : memref<128xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @known
// CHECK:         affine.for %k = 0 to 6 step 2
// CHECK-DAG:       pvec.read %x[%i * 2 + %k] by [2] within [0, 1]
// CHECK-DAG:       pvec.read %x[%i * 2 + %k + 1] by [2] within [-1, 0]
// CHECK:         affine.for %k_1 = 6 to 7
// CHECK:           pvec.read %x[%i * 2 + %k_1] by [2] within [0]

func.func @unknown(%n : index, %h : memref<?xf64> {llvm.noalias}, %x : memref<?xf64> {llvm.noalias},
                   %y : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to 128 {
    affine.for %k = 0 to %n {
      %a = affine.load %h[%k] : memref<?xf64>
      %b = affine.load %x[%i * 2 + %k] : memref<?xf64>
      %c = arith.mulf %a, %b : f64
      %d = affine.load %y[%i] : memref<?xf64>
      %e = arith.addf %d, %c : f64
      affine.store %e, %y[%i] : memref<?xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @unknown
// CHECK:         affine.for %k = 0 to affine_map<(d0) -> ((d0 + -1))>(%n) step 2
// CHECK-DAG:       pvec.read %x[%i * 2 + %k] by [2] within [0, 1]
// CHECK-DAG:       pvec.read %x[%i * 2 + %k + 1] by [2] within [-1, 0]
// CHECK:         affine.for %k_1 = max
// CHECK:           pvec.read %x[%i * 2 + %k_1] by [2] within [0]

// Two steps of the loop are two columns: the next one picks the same elements, of other vectors.
func.func @by_columns(%h : memref<7xf64> {llvm.noalias}, %x : memref<268xf64> {llvm.noalias}, %y : memref<128xf64> {llvm.noalias}) {
  affine.for %i = 0 to 128 {
    affine.for %k = 0 to 7 {
      %a = affine.load %h[%k] : memref<7xf64>
      %b = affine.load %x[%i * 2 + %k * 2] : memref<268xf64>
      %c = arith.mulf %a, %b : f64
      %d = affine.load %y[%i] : memref<128xf64>
      %e = arith.addf %d, %c : f64
      affine.store %e, %y[%i] : memref<128xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @by_columns
// CHECK:         affine.for %k = 0 to 7 iter_args
