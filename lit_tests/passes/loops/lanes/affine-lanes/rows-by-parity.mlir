// The row that the iteration's number chooses, two iterations at a time: rows of different numbers,
// which take turns.
// RUN: polyopt-opt %s -p 'affine-lanes{march="x86-64-v3" vectors=1 force=true}' | filecheck %s

func.func @parity(%n : index, %m : index, %t : memref<2x100xi32>) {
  affine.for %i = 1 to %n {
    affine.for %j = 1 to %m {
      %u = affine.load %t[%i - 1 - ((%i - 1) floordiv 2) * 2, %j] : memref<2x100xi32>
      %v = affine.load %t[%i mod 2, %j - 1] : memref<2x100xi32>
      %s = arith.minsi %u, %v : i32
      affine.store %s, %t[%i mod 2, %j] : memref<2x100xi32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @parity
// CHECK:         affine.for %i = 0 to {{.*}} step 8 {
// CHECK:           pvec.read %t[0, 7] by [0, -1]
// CHECK-NEXT:      affine.for
// CHECK:             [[X:%.*]] = arith.minsi {{.*}} : vector<8xi32>
// CHECK-NEXT:        pvec.write [[X]], %t[1,
// CHECK-NEXT:        [[Y:%.*]] = arith.minsi [[X]], {{.*}} : vector<8xi32>
// CHECK-NEXT:        pvec.write [[Y]], %t[0,
// The rest:
// CHECK:         affine.for %i_1 = {{.*}} {
// CHECK:             affine.store {{.*}}, %t[1, %j
// CHECK:           "affine.if"
// CHECK:             affine.store {{.*}}, %t[0, %j

// Nobody knows which row is the first. Left alone.
func.func @from_anywhere(%l : index, %n : index, %m : index, %t : memref<2x100xi32>) {
  affine.for %i = %l to %n {
    affine.for %j = 1 to %m {
      %u = affine.load %t[(%i + 1) mod 2, %j] : memref<2x100xi32>
      %v = affine.load %t[%i mod 2, %j - 1] : memref<2x100xi32>
      %s = arith.minsi %u, %v : i32
      affine.store %s, %t[%i mod 2, %j] : memref<2x100xi32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @from_anywhere
// CHECK-NOT:     vector<

// Three rows are no two that take turns. Left alone.
func.func @three(%n : index, %m : index, %t : memref<3x100xi32>) {
  affine.for %i = 1 to %n {
    affine.for %j = 1 to %m {
      %u = affine.load %t[(%i + 2) mod 3, %j] : memref<3x100xi32>
      %v = affine.load %t[%i mod 3, %j - 1] : memref<3x100xi32>
      %s = arith.minsi %u, %v : i32
      affine.store %s, %t[%i mod 3, %j] : memref<3x100xi32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @three
// CHECK-NOT:     vector<
