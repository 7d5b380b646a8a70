// A row that is copied over the one before is one of two that take turns, with the element in front
// of it, and whatever the copy's iterations are called.
// RUN: polyopt-opt %s -p 'affine-lanes{march="x86-64-v3" vectors=1 force=true}' | filecheck %s

func.func @copied(%n : index, %m : index, %x : memref<100xi32> {llvm.noalias}, %y : memref<100xi32> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %u = affine.load %y[%j] : memref<100xi32>
      %v = affine.load %x[%j] : memref<100xi32>
      %s = arith.minsi %u, %v : i32
      affine.store %s, %x[%j + 1] : memref<100xi32>
    }
    affine.for %k = 0 to affine_map<()[s0] -> (s0 + 1)>()[%m] {
      %w = affine.load %x[%k] : memref<100xi32>
      affine.store %w, %y[%k] : memref<100xi32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @copied
// CHECK:         affine.for %i = 0 to {{.*}} step 8 {
// CHECK:           [[FRONT:%.*]] = affine.load %x[0]
// CHECK:           affine.store {{.*}}, %y[0]
// CHECK:           affine.for
// CHECK:             [[X:%.*]] = arith.minsi {{.*}} : vector<8xi32>
// CHECK-NEXT:        pvec.write [[X]], %x[
// CHECK-NEXT:        pvec.write [[X]], %y[

// The last element is not copied: what is above of it is not what was stored. Left alone.
func.func @but_one(%n : index, %m : index, %x : memref<100xi32> {llvm.noalias}, %y : memref<100xi32> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %u = affine.load %y[%j] : memref<100xi32>
      %v = affine.load %x[%j] : memref<100xi32>
      %s = arith.minsi %u, %v : i32
      affine.store %s, %x[%j + 1] : memref<100xi32>
    }
    affine.for %k = 0 to %m {
      %w = affine.load %x[%k] : memref<100xi32>
      affine.store %w, %y[%k] : memref<100xi32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @but_one
// CHECK-NOT:     vector<

// An arm that reads what is not touched otherwise stays a condition, of values, too.
func.func @beyond(%n : index, %m : index, %c : i1, %x : memref<100xi32> {llvm.noalias}, %y : memref<100xi32> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %s = scf.if %c -> (i32) {
        %u = affine.load %y[%j + 2] : memref<100xi32>
        scf.yield %u : i32
      } else {
        %v = affine.load %x[%j] : memref<100xi32>
        scf.yield %v : i32
      }
      affine.store %s, %x[%j + 1] : memref<100xi32>
    }
    affine.for %k = 0 to affine_map<()[s0] -> (s0 + 1)>()[%m] {
      %w = affine.load %x[%k] : memref<100xi32>
      affine.store %w, %y[%k] : memref<100xi32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @beyond
// CHECK-NOT:     vector<
