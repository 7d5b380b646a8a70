// RUN: polyopt-opt %s -p affine-look-up-rows | filecheck %s

// The row is found in front of the two loops inside, and nowhere if they have no iteration.
// CHECK-LABEL: func.func @neighbours
// CHECK:         affine.for %p
// CHECK:           %[[K:.*]] = "affine.if"(%a, %b)
// CHECK:             affine.load %c[%p]
// CHECK:           %[[ROW:.*]] = arith.index_cast %[[K]]
// CHECK:           %[[AT:.*]] = cmem.address %t[%[[ROW]], %{{.*}}, %{{.*}}] : memref<12x9x8xf64>
// CHECK-NEXT:      %t_1 = cmem.view %[[AT]][] : memref<9x8xf64>
// CHECK-NEXT:      affine.for %x = 0 to %a {
// CHECK-NEXT:        affine.for %y = 0 to %b {
// CHECK-NEXT:          %v = affine.load %t_1[%x, %y + 1] : memref<9x8xf64>
// CHECK-NEXT:          affine.store %v, %o[%x, %y] : memref<9x8xf64>
func.func @neighbours(%c: memref<50xi32> {llvm.noalias}, %t: memref<12x9x8xf64> {llvm.noalias},
                      %o: memref<9x8xf64> {llvm.noalias}, %n: index, %a: index, %b: index) {
  affine.for %p = 0 to %n {
    affine.for %x = 0 to %a {
      affine.for %y = 0 to %b {
        %k = affine.load %c[%p] : memref<50xi32>
        %row = arith.index_cast %k : i32 to index
        %one = arith.constant 1 : index
        %z = arith.addi %y, %one : index
        %v = memref.load %t[%row, %x, %z] : memref<12x9x8xf64>
        affine.store %v, %o[%x, %y] : memref<9x8xf64>
      }
    }
  }
  func.return
}

// A block of a vector begins in the middle of a row; its length is not known.
// CHECK-LABEL: func.func @blocks
// CHECK:           %[[AT:.*]] = cmem.address %x[%{{.*}}] : memref<400xf64>
// CHECK-NEXT:      %x_1 = cmem.view %[[AT]][] : memref<?xf64>
// CHECK-NEXT:      affine.for %i = 0 to 3 {
// CHECK-NEXT:        affine.for %j = 0 to 3 {
// CHECK-NEXT:          affine.load %x_1[%j] : memref<?xf64>
func.func @blocks(%c: memref<50xi32> {llvm.noalias}, %x: memref<400xf64> {llvm.noalias},
                  %o: memref<3x3xf64> {llvm.noalias}, %n: index) {
  affine.for %p = 0 to %n {
    affine.for %i = 0 to 3 {
      affine.for %j = 0 to 3 {
        %k = affine.load %c[%p] : memref<50xi32>
        %block = arith.index_cast %k : i32 to index
        %three = arith.constant 3 : index
        %first = arith.muli %block, %three : index
        %at = arith.addi %first, %j : index
        %v = memref.load %x[%at] : memref<400xf64>
        affine.store %v, %o[%i, %j] : memref<3x3xf64>
      }
    }
  }
  func.return
}

// What is read and written of one row is one array.
// CHECK-LABEL: func.func @both
// CHECK:           cmem.address
// CHECK-NOT:       cmem.address
// CHECK:           %v = affine.load %t_1[%x, %y]
// CHECK-NEXT:      affine.store %v, %t_1[%x, %y + 1]
func.func @both(%c: memref<50xi32> {llvm.noalias}, %t: memref<12x9x8xf64> {llvm.noalias}, %n: index) {
  affine.for %p = 0 to %n {
    affine.for %x = 0 to 9 {
      affine.for %y = 0 to 7 {
        %k = affine.load %c[%p] : memref<50xi32>
        %row = arith.index_cast %k : i32 to index
        %v = memref.load %t[%row, %x, %y] : memref<12x9x8xf64>
        %one = arith.constant 1 : index
        %z = arith.addi %y, %one : index
        memref.store %v, %t[%row, %x, %z] : memref<12x9x8xf64>
      }
    }
  }
  func.return
}
