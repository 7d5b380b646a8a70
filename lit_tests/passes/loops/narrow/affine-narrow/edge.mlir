// At the edges: no iteration, intervals that end at the last number of 16 bits and one behind it, a
// shift by as many bits as are left.
// RUN: polyopt-opt %s -p 'affine-narrow' | filecheck %s

// Whether it runs is nobody's question: the lowest eight bits of a sum.
func.func @empty(%A : memref<?xi8>, %B : memref<?xi8>) {
  %c1 = arith.constant 1 : i32
  affine.for %i = 2 to 2 {
    %a = affine.load %A[%i] : memref<?xi8>
    %x = arith.extui %a : i8 to i32
    %s = arith.addi %x, %c1 : i32
    %t = arith.trunci %s : i32 to i8
    affine.store %t, %B[%i] : memref<?xi8>
  }
  func.return
}

// CHECK-LABEL: func.func @empty(
// CHECK-NEXT:    %c1 = arith.constant 1 : i32
// CHECK-NEXT:    [[V0:%\d+]] = arith.constant 1 : i8
// CHECK-NEXT:    affine.for %i = 2 to 2 {
// CHECK-NEXT:      %a = affine.load %A[%i] : memref<?xi8>
// CHECK-NEXT:      %s = arith.addi %a, [[V0]] : i8
// CHECK-NEXT:      affine.store %s, %B[%i] : memref<?xi8>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// 255 + 32512 is 32767, the greatest of 16 bits with a sign.
func.func @just_fits(%n : index, %A : memref<?xi8>, %B : memref<?xi16>) {
  %c = arith.constant 32512 : i32
  %one = arith.constant 1 : i32
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi8>
    %x = arith.extui %a : i8 to i32
    %s = arith.addi %x, %c : i32
    %h = arith.shrsi %s, %one : i32
    %t = arith.trunci %h : i32 to i16
    affine.store %t, %B[%i] : memref<?xi16>
  }
  func.return
}

// CHECK-LABEL: func.func @just_fits(
// CHECK-NEXT:    %c = arith.constant 32512 : i32
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    [[V0:%\d+]] = arith.constant 32512 : i16
// CHECK-NEXT:    [[V1:%\d+]] = arith.constant 1 : i16
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      %a = affine.load %A[%i] : memref<?xi8>
// CHECK-NEXT:      %x = arith.extui %a : i8 to i16
// CHECK-NEXT:      %s = arith.addi %x, [[V0]] : i16
// CHECK-NEXT:      %h = arith.shrsi %s, [[V1]] : i16
// CHECK-NEXT:      affine.store %h, %B[%i] : memref<?xi16>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// 255 + 65281 is 65536: no number of 16 bits, with a sign or without.
func.func @one_more(%n : index, %A : memref<?xi8>, %B : memref<?xi16>) {
  %c = arith.constant 65281 : i32
  %one = arith.constant 1 : i32
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi8>
    %x = arith.extui %a : i8 to i32
    %s = arith.addi %x, %c : i32
    %h = arith.shrsi %s, %one : i32
    %t = arith.trunci %h : i32 to i16
    affine.store %t, %B[%i] : memref<?xi16>
  }
  func.return
}

// CHECK-LABEL: func.func @one_more(
// CHECK-NEXT:    %c = arith.constant 65281 : i32
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      %a = affine.load %A[%i] : memref<?xi8>
// CHECK-NEXT:      %x = arith.extui %a : i8 to i32
// CHECK-NEXT:      %s = arith.addi %x, %c : i32
// CHECK-NEXT:      %h = arith.shrsi %s, %one : i32
// CHECK-NEXT:      %t = arith.trunci %h : i32 to i16
// CHECK-NEXT:      affine.store %t, %B[%i] : memref<?xi16>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// A shift to the left by 16 leaves nothing of 16 bits.
func.func @shift_by_all(%n : index, %A : memref<?xi8>, %B : memref<?xi8>) {
  %c = arith.constant 16 : i32
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi8>
    %x = arith.extui %a : i8 to i32
    %s = arith.shli %x, %c : i32
    %h = arith.shrui %s, %c : i32
    %t = arith.trunci %h : i32 to i8
    affine.store %t, %B[%i] : memref<?xi8>
  }
  func.return
}

// CHECK-LABEL: func.func @shift_by_all(
// CHECK-NEXT:    %c = arith.constant 16 : i32
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      %a = affine.load %A[%i] : memref<?xi8>
// CHECK-NEXT:      %x = arith.extui %a : i8 to i32
// CHECK-NEXT:      %s = arith.shli %x, %c : i32
// CHECK-NEXT:      %h = arith.shrui %s, %c : i32
// CHECK-NEXT:      %t = arith.trunci %h : i32 to i8
// CHECK-NEXT:      affine.store %t, %B[%i] : memref<?xi8>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// The bits of a byte are counted in a byte, of one with a sign they are not: 28 of -16 as 32 bits.
func.func @counted_bits(%n : index, %A : memref<?xi8>, %B : memref<?xi8>) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi8>
    %x = arith.extui %a : i8 to i32
    %c = math.ctpop %x : i32
    %t = arith.trunci %c : i32 to i8
    affine.store %t, %B[%i] : memref<?xi8>
  }
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi8>
    %x = arith.extsi %a : i8 to i32
    %c = math.ctpop %x : i32
    %t = arith.trunci %c : i32 to i8
    affine.store %t, %B[%i] : memref<?xi8>
  }
  func.return
}

// CHECK-LABEL: func.func @counted_bits(
// CHECK:         [[BITS:%\S+]] = math.ctpop %a : i8
// CHECK-NEXT:    affine.store [[BITS]], %B
// CHECK:         math.ctpop {{%\S+}} : i32
