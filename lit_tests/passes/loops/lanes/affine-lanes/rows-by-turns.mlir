// Two rows that take turns are one loop for the iterations in which both are written: what one
// stores the other has in a register. The iterations that are left run as they did.
// RUN: polyopt-opt %s -p 'affine-lanes{march="x86-64-v3" vectors=1 force=true}' | filecheck %s

func.func @turns(%n : index, %m : index, %x : memref<100xi32> {llvm.noalias}, %y : memref<100xi32> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 1 to %m {
      %u = affine.load %y[%j] : memref<100xi32>
      %v = affine.load %x[%j - 1] : memref<100xi32>
      %s = arith.minsi %u, %v : i32
      affine.store %s, %x[%j] : memref<100xi32>
    }
    "affine.if"(%i, %n) <{condition = affine_set<(d0)[s0] : (s0 - d0 * 2 - 2 >= 0)>}> ({
      affine.for %j = 1 to %m {
        %u = affine.load %x[%j] : memref<100xi32>
        %v = affine.load %y[%j - 1] : memref<100xi32>
        %s = arith.maxsi %u, %v : i32
        affine.store %s, %y[%j] : memref<100xi32>
      }
      affine.yield
    }, {
    }) : (index, index) -> ()
  }
  func.return
}

// CHECK-LABEL: func.func @turns
// CHECK:         [[TURNS:%.*]] = affine.apply affine_map<(d0) -> ((d0 floordiv 2))> (%n)
// CHECK:         affine.for %i = 0 to {{.*}} step 8 {
// CHECK:           pvec.read %y[7] by [-1]
// CHECK-NEXT:      affine.for {{.*}} = 8 to {{.*}} iter_args([[OLD:%.*]] = {{.*}}, [[LEFT:%.*]] = {{.*}}, [[LAST:%.*]] = {{.*}})
// CHECK-NEXT:        [[FIRST:%.*]] = pvec.read %y[{{.*}}] by [0]
// CHECK-NEXT:        [[UP:%.*]] = vector.shuffle [[FIRST]], [[OLD]]
// CHECK-NEXT:        [[X:%.*]] = arith.minsi [[UP]], [[LEFT]] : vector<8xi32>
// CHECK-NEXT:        pvec.write [[X]], %x[
// CHECK-NEXT:        [[Y:%.*]] = arith.maxsi [[X]], [[LAST]] : vector<8xi32>
// CHECK-NEXT:        pvec.write [[Y]], %y[
// CHECK-NEXT:        affine.yield [[Y]], [[X]], [[Y]]
// The rest:
// CHECK:         affine.for %i_1 = {{.*}} {
// CHECK-NEXT:      affine.for
// CHECK:             affine.store {{.*}}, %x[
// CHECK:           "affine.if"
// CHECK:             affine.store {{.*}}, %y[

// The second row takes the next element of the first, which is not there yet. Left alone.
func.func @ahead(%n : index, %m : index, %x : memref<100xi32> {llvm.noalias}, %y : memref<100xi32> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 1 to %m {
      %u = affine.load %y[%j] : memref<100xi32>
      %v = affine.load %x[%j - 1] : memref<100xi32>
      %s = arith.minsi %u, %v : i32
      affine.store %s, %x[%j] : memref<100xi32>
    }
    "affine.if"(%i, %n) <{condition = affine_set<(d0)[s0] : (s0 - d0 * 2 - 2 >= 0)>}> ({
      affine.for %j = 1 to %m {
        %u = affine.load %x[%j + 1] : memref<100xi32>
        %v = affine.load %y[%j - 1] : memref<100xi32>
        %s = arith.maxsi %u, %v : i32
        affine.store %s, %y[%j] : memref<100xi32>
      }
      affine.yield
    }, {
    }) : (index, index) -> ()
  }
  func.return
}

// CHECK-LABEL: func.func @ahead
// CHECK-NOT:     vector

// The condition begins to hold, it does not cease to: left alone.
func.func @late(%n : index, %m : index, %x : memref<100xi32> {llvm.noalias}, %y : memref<100xi32> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 1 to %m {
      %u = affine.load %y[%j] : memref<100xi32>
      %v = affine.load %x[%j - 1] : memref<100xi32>
      %s = arith.minsi %u, %v : i32
      affine.store %s, %x[%j] : memref<100xi32>
    }
    "affine.if"(%i, %n) <{condition = affine_set<(d0)[s0] : (d0 - s0 + 5 >= 0)>}> ({
      affine.for %j = 1 to %m {
        %u = affine.load %x[%j] : memref<100xi32>
        %v = affine.load %y[%j - 1] : memref<100xi32>
        %s = arith.maxsi %u, %v : i32
        affine.store %s, %y[%j] : memref<100xi32>
      }
      affine.yield
    }, {
    }) : (index, index) -> ()
  }
  func.return
}

// CHECK-LABEL: func.func @late
// CHECK-NOT:     vector
