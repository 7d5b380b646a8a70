// At the edges: three rows for four lanes, which run under a mask, no column too many or too few; no row; one
// column, in which no two rows can run at once.
// RUN: polyopt-opt %s -p 'affine-lanes{march="x86-64-v3" vectors=1 force=true}' | filecheck %s

func.func @three(%m : index, %A : memref<?x?xf64>) {
  affine.for %i = 1 to 4 {
    affine.for %j = 1 to %m {
      %x = affine.load %A[%i - 1, %j] : memref<?x?xf64>
      %y = affine.load %A[%i, %j - 1] : memref<?x?xf64>
      %s = arith.addf %x, %y : f64
      affine.store %s, %A[%i, %j] : memref<?x?xf64>
    }
  }
  func.return
}

// No block of four rows ends by row 4: the others are masked.
// CHECK-LABEL: func.func @three(
// CHECK-NEXT:    affine.for %i = 1 to 4 step 4 {
// CHECK-NEXT:      "affine.if"(%i) <{condition = affine_set<(d0) : ((d0 * -1) >= 0)>}> ({
// CHECK:             [[LEFT:%\d+]] = affine.apply affine_map<(d0) -> (((d0 * -1) + 4))> (%i)
// CHECK-NEXT:        [[ROWS:%\d+]] = vector.create_mask [[LEFT]] : vector<4xi1>
// CHECK:             affine.for %time
// CHECK-NEXT:          [[FIRST:%\d+]] = affine.min affine_map<(d0, d1) -> ((((d0 * -1) + d1) + -1), 0)> ([[TIME:%time_?\d*]], %m)
// CHECK-NEXT:          [[END:%\d+]] = affine.min affine_map<(d0, d1) -> (((d0 * -1) + 4), d1)> (%i, [[TIME]])
// CHECK-NEXT:          [[START:%\d+]] = affine.apply affine_map<(d0) -> ((d0 * -1))> ([[FIRST]])
// CHECK-NEXT:          [[IN:%\d+]] = pvec.range_mask [[START]] to [[END]] : vector<4xi1>
// CHECK:               pvec.write {{%\d+}}, %A[%i, [[TIME]]] by [1, -1] masked [[IN]]
// CHECK:             "affine.if"(%stop_1)
// CHECK:                 pvec.write {{%\d+}}, %A[%i, {{%time_\d+}}] by [1, -1] masked [[ROWS]]

func.func @no_row(%m : index, %A : memref<?x?xf64>) {
  affine.for %i = 1 to 1 {
    affine.for %j = 1 to %m {
      %x = affine.load %A[%i - 1, %j] : memref<?x?xf64>
      %y = affine.load %A[%i, %j - 1] : memref<?x?xf64>
      %s = arith.addf %x, %y : f64
      affine.store %s, %A[%i, %j] : memref<?x?xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @no_row(
// CHECK-NEXT:    affine.for %i = 1 to 1 step 4 {

func.func @one_column(%n : index, %A : memref<?x?xf64>) {
  affine.for %i = 1 to %n {
    affine.for %j = 1 to 2 {
      %x = affine.load %A[%i - 1, %j] : memref<?x?xf64>
      %y = affine.load %A[%i, %j - 1] : memref<?x?xf64>
      %s = arith.addf %x, %y : f64
      affine.store %s, %A[%i, %j] : memref<?x?xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @one_column(
// CHECK-NEXT:    affine.for %i = 1 to %n {
// CHECK-NEXT:      affine.for %j = 1 to 2 {
// CHECK-NEXT:        %x = affine.load %A[%i + -1, %j] : memref<?x?xf64>
// CHECK-NEXT:        %y = affine.load %A[%i, %j + -1] : memref<?x?xf64>
// CHECK-NEXT:        %s = arith.addf %x, %y : f64
// CHECK-NEXT:        affine.store %s, %A[%i, %j] : memref<?x?xf64>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
