// A table along two words: its conditional is a selection; a lane takes the row above from the lane
// before it, by registers, and stretches of rows are stored as a whole.
// RUN: polyopt-opt %s -p 'affine-lanes{march="x86-64-v3" vectors=1},share-transfers,lower-transfers' | filecheck %s

func.func @common(%n : index, %m : index, %s : memref<100xi32>, %t : memref<100xi32>, %L : memref<101x101xi32> {llvm.noalias}) {
  %one = arith.constant 1 : i32
  affine.for %i = 1 to %n {
    affine.for %j = 1 to %m {
      %a = affine.load %s[%i - 1] : memref<100xi32>
      %b = affine.load %t[%j - 1] : memref<100xi32>
      %same = arith.cmpi eq, %a, %b : i32
      scf.if %same {
        %x = affine.load %L[%i - 1, %j - 1] : memref<101x101xi32>
        %y = arith.addi %x, %one : i32
        affine.store %y, %L[%i, %j] : memref<101x101xi32>
      } else {
        %u = affine.load %L[%i - 1, %j] : memref<101x101xi32>
        %v = affine.load %L[%i, %j - 1] : memref<101x101xi32>
        %w = arith.maxsi %u, %v : i32
        affine.store %w, %L[%i, %j] : memref<101x101xi32>
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @common
// CHECK-NOT:     scf.if
// CHECK:         affine.for %stretch = {{.*}} step 8
// CHECK:           affine.for %time
// CHECK:             vector.shuffle {{.*}} [7, 6, 5, 4, 3, 2, 1, 0]
// CHECK:             [[UP:%.*]] = affine.load %L[%i + -1, %time
// CHECK-NEXT:        [[ALL:%.*]] = vector.broadcast [[UP]]
// CHECK-NEXT:        vector.shuffle [[ALL]], {{.*}} [7, 8, 9, 10, 11, 12, 13, 14]
// CHECK-NOT:         pvec.strided
// CHECK:             affine.vector_store {{.*}} %transposed
// CHECK-COUNT-8:   affine.vector_store {{.*}} %L

// Nothing says that there is an element where only one arm loads: the conditional stays.
func.func @beyond(%n : index, %m : index, %s : memref<100xi32>, %L : memref<?x?xi32> {llvm.noalias}) {
  %one = arith.constant 1 : i32
  affine.for %i = 1 to %n {
    affine.for %j = 1 to %m {
      %a = affine.load %s[%i - 1] : memref<100xi32>
      %same = arith.cmpi eq, %a, %one : i32
      scf.if %same {
        %x = affine.load %L[%i - 1, %j + 1] : memref<?x?xi32>
        affine.store %x, %L[%i, %j] : memref<?x?xi32>
      } else {
        %v = affine.load %L[%i, %j - 1] : memref<?x?xi32>
        affine.store %v, %L[%i, %j] : memref<?x?xi32>
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @beyond
// CHECK:         scf.if
