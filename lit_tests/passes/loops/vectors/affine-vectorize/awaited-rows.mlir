// A short row that the loop around goes over again, reading what it has stored, is no loop of vectors:
// under a mask each run would wait for the one before. A tile keeps it in registers while that loop runs.
// Whole vectors, and rows that go on with the loop around, are vectors.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-tile-registers{march="x86-64-v4"}' | filecheck %s --check-prefix=TILES

// CHECK-LABEL: func.func @again
// CHECK-NOT:     vector<
// CHECK-LABEL: func.func @whole
// TILES-LABEL: func.func @again
// TILES:         %[[ROW:.*]] = pvec.read %m[0] masked
// TILES-NEXT:    affine.for %i = {{.*}} iter_args(%{{.*}} = %[[ROW]]) -> (vector<8xf64>)
// TILES-NOT:     pvec.write
// TILES:           affine.yield
// TILES-NEXT:    }
// TILES-NEXT:    pvec.write %{{.*}}, %m[0] masked
// TILES-LABEL: func.func @whole
func.func @again(%n : index, %x : memref<?x6xf64> {llvm.noalias}, %m : memref<6xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %c = 0 to 6 {
      %a = affine.load %x[%i, %c] : memref<?x6xf64>
      %b = affine.load %m[%c] : memref<6xf64>
      %d = arith.subf %a, %b : f64
      affine.store %d, %m[%c] : memref<6xf64>
    }
  }
  func.return
}

// CHECK:         pvec.write %{{.*}}, %m[%v]
// CHECK-LABEL: func.func @goes_on
func.func @whole(%n : index, %x : memref<?x8xf64> {llvm.noalias}, %m : memref<8xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %c = 0 to 8 {
      %a = affine.load %x[%i, %c] : memref<?x8xf64>
      %b = affine.load %m[%c] : memref<8xf64>
      %d = arith.subf %a, %b : f64
      affine.store %d, %m[%c] : memref<8xf64>
    }
  }
  func.return
}

// CHECK:         pvec.write %{{.*}}, %m[%i, %v]
// CHECK:         func.return
func.func @goes_on(%n : index, %x : memref<?x6xf64> {llvm.noalias}, %m : memref<?x6xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %c = 0 to 6 {
      %a = affine.load %x[%i, %c] : memref<?x6xf64>
      %b = affine.load %m[%i, %c] : memref<?x6xf64>
      %d = arith.subf %a, %b : f64
      affine.store %d, %m[%i, %c] : memref<?x6xf64>
    }
  }
  func.return
}
