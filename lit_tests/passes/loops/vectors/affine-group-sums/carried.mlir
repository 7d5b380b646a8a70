// A sum in lanes that the loop around goes on with is added up behind that loop: not where the loop may not be entered, moves the
// variable, or looks at it, and not where others may see it.
// RUN: polyopt-opt %s -p 'affine-group-sums{march="x86-64-v3"}' | filecheck %s

func.func @carried(%f : index, %A : memref<3x16xi32>, %C : memref<?xi32>) {
  %s = memref.alloc(%f) : memref<?xi32>
  %zero = arith.constant 0 : i32
  affine.store %zero, %s[%f] : memref<?xi32>
  affine.for %i = 0 to 3 {
    %none = arith.constant dense<0> : vector<8xi32>
    %lanes = affine.for %v = 0 to 16 step 8 iter_args(%t = %none) -> (vector<8xi32>) {
      %a = affine.vector_load %A[%i, %v] : memref<3x16xi32>, vector<8xi32>
      %u = arith.addi %t, %a : vector<8xi32>
      affine.yield %u : vector<8xi32>
    }
    %sum = vector.reduction <add>, %lanes : vector<8xi32> into i32
    %old = affine.load %s[%f] : memref<?xi32>
    %new = arith.addi %old, %sum : i32
    affine.store %new, %s[%f] : memref<?xi32>
  }
  %x = affine.load %s[%f] : memref<?xi32>
  affine.store %x, %C[%f] : memref<?xi32>
  func.return
}

// CHECK-LABEL: func.func @carried(
// CHECK:         [[ZERO:%\d+]] = arith.constant dense<0> : vector<8xi32>
// CHECK-NEXT:    [[ALL:%\d+]] = affine.for %i = 0 to 3 iter_args([[T:%\d+]] = [[ZERO]]) -> (vector<8xi32>) {
// CHECK:           %lanes = affine.for %v = 0 to 16 step 8 iter_args(%t = [[T]]) -> (vector<8xi32>) {
// CHECK:           affine.yield %lanes : vector<8xi32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %sum = vector.reduction <add>, [[ALL]] : vector<8xi32> into i32
// CHECK-NEXT:    %old = affine.load %s[%f] : memref<?xi32>

func.func @seen(%f : index, %n : index, %A : memref<?x16xi32>, %s : memref<?xi32>) {
  affine.for %i = 0 to 3 {
    %none = arith.constant dense<0> : vector<8xi32>
    %lanes = affine.for %v = 0 to 16 step 8 iter_args(%t = %none) -> (vector<8xi32>) {
      %a = affine.vector_load %A[%i, %v] : memref<?x16xi32>, vector<8xi32>
      %u = arith.addi %t, %a : vector<8xi32>
      affine.yield %u : vector<8xi32>
    }
    %sum = vector.reduction <add>, %lanes : vector<8xi32> into i32
    %old = affine.load %s[%f] : memref<?xi32>
    %new = arith.addi %old, %sum : i32
    affine.store %new, %s[%f] : memref<?xi32>
  }
  func.return
}

// CHECK-LABEL: func.func @seen(
// CHECK:         affine.for %i = 0 to 3 {
// CHECK:           affine.store

func.func @kept(%f : index, %n : index, %A : memref<?x16xi32>, %C : memref<?xi32>) {
  %s = memref.alloc(%f) : memref<?xi32>
  affine.for %i = 0 to %n {
    %none = arith.constant dense<0> : vector<8xi32>
    %lanes = affine.for %v = 0 to 16 step 8 iter_args(%t = %none) -> (vector<8xi32>) {
      %a = affine.vector_load %A[%i, %v] : memref<?x16xi32>, vector<8xi32>
      %u = arith.addi %t, %a : vector<8xi32>
      affine.yield %u : vector<8xi32>
    }
    %sum = vector.reduction <add>, %lanes : vector<8xi32> into i32
    %old = affine.load %s[%f] : memref<?xi32>
    %new = arith.addi %old, %sum : i32
    affine.store %new, %s[%f] : memref<?xi32>
  }
  affine.for %i = 0 to 3 {
    %none = arith.constant dense<0> : vector<8xi32>
    %lanes = affine.for %v = 0 to 16 step 8 iter_args(%t = %none) -> (vector<8xi32>) {
      %a = affine.vector_load %A[%i, %v] : memref<?x16xi32>, vector<8xi32>
      %u = arith.addi %t, %a : vector<8xi32>
      affine.yield %u : vector<8xi32>
    }
    %sum = vector.reduction <add>, %lanes : vector<8xi32> into i32
    %old = affine.load %s[%f] : memref<?xi32>
    %new = arith.addi %old, %sum : i32
    affine.store %new, %s[%f] : memref<?xi32>
    %x = affine.load %s[%f] : memref<?xi32>
    affine.store %x, %C[%i] : memref<?xi32>
  }
  affine.for %i = 0 to 3 {
    %none = arith.constant dense<0> : vector<8xi32>
    %lanes = affine.for %v = 0 to 16 step 8 iter_args(%t = %none) -> (vector<8xi32>) {
      %a = affine.vector_load %A[%i, %v] : memref<?x16xi32>, vector<8xi32>
      %u = arith.addi %t, %a : vector<8xi32>
      affine.yield %u : vector<8xi32>
    }
    %sum = vector.reduction <add>, %lanes : vector<8xi32> into i32
    %old = affine.load %s[%i] : memref<?xi32>
    %new = arith.addi %old, %sum : i32
    affine.store %new, %s[%i] : memref<?xi32>
  }
  func.return
}

// CHECK-LABEL: func.func @kept(
// CHECK:         affine.for %i = 0 to %n {
// CHECK:         affine.for %i{{.*}} = 0 to 3 {
// CHECK:         affine.for %i{{.*}} = 0 to 3 {
