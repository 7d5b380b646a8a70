// A row that each iteration writes over the one before: what goes along the row is in a register of
// each lane, and the row above comes from the lane before; the first lane loads it.
// RUN: polyopt-opt %s -p 'affine-lanes{march="x86-64-v3" vectors=1 force=true}' | filecheck %s

func.func @row(%n : index, %m : index, %r : memref<100xi32> {llvm.noalias}) {
  affine.for %i = 1 to %n {
    affine.for %j = 1 to %m {
      %x = affine.load %r[%j] : memref<100xi32>
      %y = affine.load %r[%j - 1] : memref<100xi32>
      %s = arith.maxsi %x, %y : i32
      affine.store %s, %r[%j] : memref<100xi32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @row
// CHECK:         affine.for %i = {{.*}} step 8 {
// Lanes begin one after the other, and find the row above in memory.
// CHECK:           affine.for %time = {{.*}} iter_args
// CHECK:             pvec.read %r[%time] by [-1] masked
// Then all of them run.
// CHECK:             [[OLD:%.*]] = pvec.read %r[7] by [-1]
// CHECK-NEXT:        affine.for [[T:%.*]] = 8 to {{.*}} iter_args([[BEFORE:%.*]] = [[OLD]], [[LEFT:%.*]] = {{.*}}) -> (vector<8xi32>, vector<8xi32>)
// CHECK-NEXT:          [[FIRST:%.*]] = pvec.read %r[[[T]]] by [0]
// CHECK-NEXT:          [[ABOVE:%.*]] = vector.shuffle [[FIRST]], [[BEFORE]] [7, 8, 9, 10, 11, 12, 13, 14]
// CHECK-NEXT:          [[NEW:%.*]] = arith.maxsi [[ABOVE]], [[LEFT]] : vector<8xi32>
// CHECK-NEXT:          pvec.write [[NEW]], %r[[[T]]] by [-1]
// CHECK-NEXT:          affine.yield [[NEW]], [[NEW]]

// Each row begins with an element that is computed: lane by lane, before the lanes run.
func.func @begin(%n : index, %m : index, %r : memref<100xi32> {llvm.noalias}) {
  affine.for %i = 1 to %n {
    %b = arith.index_cast %i : index to i32
    affine.store %b, %r[0] : memref<100xi32>
    affine.for %j = 1 to %m {
      %x = affine.load %r[%j] : memref<100xi32>
      %y = affine.load %r[%j - 1] : memref<100xi32>
      %s = arith.minsi %x, %y : i32
      affine.store %s, %r[%j] : memref<100xi32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @begin
// CHECK:         affine.for %i = {{.*}} step 8 {
// CHECK:           [[ROOM:%.*]] = memref.alloca() {{.*}} : memref<8xi32>
// CHECK-NEXT:      affine.for [[LANE:%.*]] = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> ((d0 + 8))>(%i) {
// CHECK-NEXT:        [[B:%.*]] = arith.index_cast [[LANE]] : index to i32
// CHECK-NEXT:        affine.store [[B]], %r[0]
// CHECK-NEXT:        [[LEFT:%.*]] = affine.load %r[0]
// CHECK-NEXT:        affine.store [[LEFT]], [[ROOM]][[[LANE]] + %i * -1]
// CHECK:           pvec.read [[ROOM]][0]
// CHECK:           affine.for %time

// Two rows: what goes along each is in a register of its own, and so is what is above.
func.func @two(%n : index, %m : index, %r : memref<100xi32> {llvm.noalias}, %q : memref<100xi32> {llvm.noalias}) {
  affine.for %i = 1 to %n {
    affine.for %j = 1 to %m {
      %x = affine.load %r[%j] : memref<100xi32>
      %y = affine.load %r[%j - 1] : memref<100xi32>
      %s = arith.maxsi %x, %y : i32
      affine.store %s, %r[%j] : memref<100xi32>
      %v = affine.load %q[%j] : memref<100xi32>
      %w = affine.load %q[%j - 1] : memref<100xi32>
      %t = arith.minsi %v, %w : i32
      %u = arith.addi %t, %y : i32
      affine.store %u, %q[%j] : memref<100xi32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @two
// CHECK:         affine.for {{.*}} = 8 to {{.*}} -> (vector<8xi32>, vector<8xi32>, vector<8xi32>, vector<8xi32>)

// Six elements back: each lane would have to be seven behind the one before. Left alone.
func.func @far(%n : index, %m : index, %r : memref<100xi32> {llvm.noalias}) {
  affine.for %i = 1 to %n {
    affine.for %j = 6 to %m {
      %x = affine.load %r[%j] : memref<100xi32>
      %y = affine.load %r[%j - 6] : memref<100xi32>
      %s = arith.maxsi %x, %y : i32
      affine.store %s, %r[%j] : memref<100xi32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @far
// CHECK-NOT:     vector

// An element is read that a row around stores at some time or other. Left alone.
func.func @pivot(%n : index, %m : index, %r : memref<100xi32> {llvm.noalias}) {
  affine.for %i = 1 to %n {
    affine.for %j = 1 to %m {
      %x = affine.load %r[%j] : memref<100xi32>
      %y = affine.load %r[%j - 1] : memref<100xi32>
      %p = affine.load %r[5] : memref<100xi32>
      %t = arith.maxsi %x, %y : i32
      %s = arith.minsi %t, %p : i32
      affine.store %s, %r[%j] : memref<100xi32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @pivot
// CHECK-NOT:     vector
