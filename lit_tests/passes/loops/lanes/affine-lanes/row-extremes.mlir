// The greatest element of a table that is a wavefront, and where it is: each lane finds that of its
// row, in registers, and the rows of a block are compared in their order.
// RUN: polyopt-opt %s -p 'affine-lanes{march="x86-64-v3" vectors=1 force=true}' | filecheck %s

func.func @place(%n : index, %m : index, %H : memref<100x100xi32> {llvm.noalias}, %best : memref<i32> {llvm.noalias}, %at : memref<i32> {llvm.noalias}) {
  %between = memref.alloca() : memref<i32>
  affine.for %i = 1 to %n {
    %before = affine.load %best[] : memref<i32>
    affine.store %before, %between[] : memref<i32>
    affine.for %j = 1 to %m {
      %b = affine.load %between[] : memref<i32>
      %x = affine.load %H[%i - 1, %j] : memref<100x100xi32>
      %y = affine.load %H[%i, %j - 1] : memref<100x100xi32>
      %s = arith.addi %x, %y : i32
      affine.store %s, %H[%i, %j] : memref<100x100xi32>
      %c = arith.cmpi sgt, %s, %b : i32
      %old = affine.load %at[] : memref<i32>
      %here = arith.index_cast %j : index to i32
      %new = arith.select %c, %here, %old : i32
      affine.store %new, %at[] : memref<i32>
      %most = arith.maxsi %s, %b : i32
      affine.store %most, %between[] : memref<i32>
    }
    %after = affine.load %between[] : memref<i32>
    affine.store %after, %best[] : memref<i32>
  }
  func.return
}

// CHECK-LABEL: func.func @place
// CHECK:         [[M:%.*]] = memref.alloca() : memref<512xi32>
// CHECK-NEXT:    [[P:%.*]] = memref.alloca() : memref<512xi32>
// CHECK:         affine.for %block = 1 to {{.*}} step 512 {
// CHECK-NEXT:      affine.for {{.*}} step 8 {
// Every lane begins with what nothing is less than.
// CHECK:             arith.constant -2147483648 : i32
// CHECK:             affine.for %time = {{.*}} iter_args
// CHECK:               pvec.cmpi "sgt"
// CHECK:               pvec.select
// CHECK:               arith.maxsi {{.*}} : vector<8xi32>
// CHECK:             pvec.write {{.*}}, [[M]][
// CHECK:             pvec.write {{.*}}, [[P]][
// CHECK:           affine.for [[I:%.*]] =
// CHECK:             [[NEW:%.*]] = affine.load [[M]][
// CHECK-NEXT:        [[THERE:%.*]] = affine.load [[P]][
// CHECK-NEXT:        [[OLD:%.*]] = affine.load %best[]
// CHECK-NEXT:        [[WAS:%.*]] = affine.load %at[]
// CHECK-NEXT:        [[IS:%.*]] = arith.cmpi sgt, [[NEW]], [[OLD]] : i32
// CHECK-NEXT:        [[GREATEST:%.*]] = arith.select [[IS]], [[NEW]], [[OLD]] : i32
// CHECK-NEXT:        affine.store [[GREATEST]], %best[]
// CHECK-NEXT:        [[PLACE:%.*]] = arith.select [[IS]], [[THERE]], [[WAS]] : i32
// CHECK-NEXT:        affine.store [[PLACE]], %at[]

// The last one of equal values counts: a row without iterations would have one too. Left alone.
func.func @last(%n : index, %m : index, %H : memref<100x100xi32> {llvm.noalias}, %best : memref<i32> {llvm.noalias}) {
  affine.for %i = 1 to %n {
    affine.for %j = 1 to %m {
      %b = affine.load %best[] : memref<i32>
      %x = affine.load %H[%i - 1, %j] : memref<100x100xi32>
      %y = affine.load %H[%i, %j - 1] : memref<100x100xi32>
      %s = arith.addi %x, %y : i32
      affine.store %s, %H[%i, %j] : memref<100x100xi32>
      %c = arith.cmpi sge, %s, %b : i32
      %most = arith.select %c, %s, %b : i32
      affine.store %most, %best[] : memref<i32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @last
// CHECK-NOT:     memref.alloca
// CHECK-NOT:     vector

// What is greatest so far goes into the table: left alone.
func.func @in_use(%n : index, %m : index, %H : memref<100x100xi32> {llvm.noalias}, %best : memref<i32> {llvm.noalias}) {
  affine.for %i = 1 to %n {
    affine.for %j = 1 to %m {
      %b = affine.load %best[] : memref<i32>
      %x = affine.load %H[%i - 1, %j] : memref<100x100xi32>
      %s = arith.addi %x, %b : i32
      affine.store %s, %H[%i, %j] : memref<100x100xi32>
      %most = arith.maxsi %s, %b : i32
      affine.store %most, %best[] : memref<i32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @in_use
// CHECK-NOT:     memref.alloca
// CHECK-NOT:     vector

// The same where the greatest is chosen by the comparison that the place is chosen by.
func.func @place_by_choice(%n : index, %m : index, %H : memref<100x100xi32> {llvm.noalias}, %best : memref<i32> {llvm.noalias}, %at : memref<i32> {llvm.noalias}) {
  %between = memref.alloca() : memref<i32>
  affine.for %i = 1 to %n {
    %before = affine.load %best[] : memref<i32>
    affine.store %before, %between[] : memref<i32>
    affine.for %j = 1 to %m {
      %b = affine.load %between[] : memref<i32>
      %x = affine.load %H[%i - 1, %j] : memref<100x100xi32>
      %y = affine.load %H[%i, %j - 1] : memref<100x100xi32>
      %s = arith.addi %x, %y : i32
      affine.store %s, %H[%i, %j] : memref<100x100xi32>
      %c = arith.cmpi sgt, %s, %b : i32
      %old = affine.load %at[] : memref<i32>
      %here = arith.index_cast %j : index to i32
      %new = arith.select %c, %here, %old : i32
      affine.store %new, %at[] : memref<i32>
      %most = arith.select %c, %s, %b : i32
      affine.store %most, %between[] : memref<i32>
    }
    %after = affine.load %between[] : memref<i32>
    affine.store %after, %best[] : memref<i32>
  }
  func.return
}

// CHECK-LABEL: func.func @place_by_choice
// CHECK:         memref.alloca() : memref<512xi32>
// CHECK:             affine.for %time = {{.*}} iter_args
// CHECK:               [[BETTER:%.*]] = pvec.cmpi "sgt"
// CHECK:               pvec.select [[BETTER]], {{.*}} : vector<8xi1>, vector<8xi32>
