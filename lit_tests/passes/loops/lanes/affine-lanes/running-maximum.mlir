// The greatest element of a table that is a wavefront: found behind it, and stored only if it is
// greater than what was there.
// RUN: polyopt-opt %s -p 'affine-lanes{march="x86-64-v3" vectors=1 force=true},share-transfers,lower-transfers' | filecheck %s

func.func @best(%n : index, %m : index, %H : memref<100x100xi32> {llvm.noalias}, %best : memref<i32> {llvm.noalias}) {
  affine.for %i = 1 to %n {
    affine.for %j = 1 to %m {
      %x = affine.load %H[%i - 1, %j] : memref<100x100xi32>
      %y = affine.load %H[%i, %j - 1] : memref<100x100xi32>
      %s = arith.addi %x, %y : i32
      affine.store %s, %H[%i, %j] : memref<100x100xi32>
      %b = affine.load %best[] : memref<i32>
      %c = arith.cmpi sgt, %s, %b : i32
      scf.if %c {
        affine.store %s, %best[] : memref<i32>
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @best
// CHECK:         affine.for %i = {{.*}} step 8
// CHECK:         [[M:%.*]] = memref.alloca() : memref<i32>
// CHECK-NEXT:    [[LEAST:%.*]] = arith.constant -2147483648 : i32
// CHECK-NEXT:    affine.store [[LEAST]], [[M]][] : memref<i32>
// CHECK-NEXT:    affine.for [[I:%i_[0-9]+]] = 1 to %n {
// CHECK-NEXT:      affine.for [[J:%j_?[0-9]*]] = 1 to %m {
// CHECK-NEXT:        [[E:%.*]] = affine.load %H{{\[}}[[I]], [[J]]]
// CHECK-NEXT:        [[O:%.*]] = affine.load [[M]][]
// CHECK-NEXT:        [[N:%.*]] = arith.maxsi [[O]], [[E]] : i32
// CHECK-NEXT:        affine.store [[N]], [[M]][]
// CHECK:         [[FOUND:%.*]] = affine.load [[M]][]
// CHECK-NEXT:    [[OLD:%.*]] = affine.load %best[]
// CHECK-NEXT:    [[IS:%.*]] = arith.cmpi sgt, [[FOUND]], [[OLD]] : i32
// CHECK-NEXT:    scf.if [[IS]] {
// CHECK-NEXT:      affine.store [[FOUND]], %best[]

// What is found is used in the table: left alone.
func.func @in_use(%n : index, %m : index, %H : memref<100x100xi32> {llvm.noalias}, %best : memref<i32> {llvm.noalias}) {
  affine.for %i = 1 to %n {
    affine.for %j = 1 to %m {
      %x = affine.load %H[%i - 1, %j] : memref<100x100xi32>
      %b = affine.load %best[] : memref<i32>
      %s = arith.addi %x, %b : i32
      affine.store %s, %H[%i, %j] : memref<100x100xi32>
      %c = arith.cmpi sgt, %s, %b : i32
      scf.if %c {
        affine.store %s, %best[] : memref<i32>
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @in_use
// CHECK-NOT:     memref.alloca
// CHECK:         scf.if
