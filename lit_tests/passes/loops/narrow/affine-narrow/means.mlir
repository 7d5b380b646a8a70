// The mean of bytes is computed in shorts, a threshold from outside brought near bytes in front of
// the loop; a product of which high bits are needed stays wide.
// RUN: polyopt-opt %s -p affine-narrow | filecheck %s

func.func @mean(%n : index, %A : memref<?xi8>, %B : memref<?xi8>) {
  %c1 = arith.constant 1 : i32
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi8>
    %b = affine.load %B[%i] : memref<?xi8>
    %x = arith.extui %a : i8 to i32
    %y = arith.extui %b : i8 to i32
    %s = arith.addi %x, %y overflow<nsw> : i32
    %h = arith.shrsi %s, %c1 : i32
    %t = arith.trunci %h : i32 to i8
    affine.store %t, %B[%i] : memref<?xi8>
  }
  func.return
}

// CHECK-LABEL: func.func @mean
// CHECK:           %x = arith.extui %a : i8 to i16
// CHECK-NEXT:      %y = arith.extui %b : i8 to i16
// CHECK-NEXT:      %s = arith.addi %x, %y : i16
// CHECK-NEXT:      %h = arith.shrsi %s, {{%.*}} : i16
// CHECK-NEXT:      %t = arith.trunci %h : i16 to i8

func.func @threshold(%n : index, %limit : i32, %A : memref<?xi8>, %B : memref<?xi8>) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi8>
    %x = arith.extui %a : i8 to i32
    %more = arith.cmpi sgt, %x, %limit : i32
    %t = arith.extui %more : i1 to i8
    affine.store %t, %B[%i] : memref<?xi8>
  }
  func.return
}

// CHECK-LABEL: func.func @threshold
// CHECK:         [[HIGH:%.*]] = arith.constant 256 : i32
// CHECK-NEXT:    [[LESS:%.*]] = arith.minsi %limit, [[HIGH]] : i32
// CHECK-NEXT:    [[LOW:%.*]] = arith.constant -1 : i32
// CHECK-NEXT:    [[NEAR:%.*]] = arith.maxsi [[LESS]], [[LOW]] : i32
// CHECK-NEXT:    [[T:%.*]] = arith.trunci [[NEAR]] : i32 to i16
// CHECK-NEXT:    affine.for
// CHECK:           arith.cmpi sgt, %x, [[T]] : i16

func.func @high_bits(%n : index, %A : memref<?xi16>, %B : memref<?xi16>) {
  %c15 = arith.constant 15 : i32
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi16>
    %x = arith.extsi %a : i16 to i32
    %p = arith.muli %x, %x : i32
    %h = arith.shrsi %p, %c15 : i32
    %t = arith.trunci %h : i32 to i16
    affine.store %t, %B[%i] : memref<?xi16>
  }
  func.return
}

// CHECK-LABEL: func.func @high_bits
// CHECK:           arith.muli %x, %x : i32
