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

// Of two sums that begin at one zero each goes on with its own lanes; one that others may see stays where it is.
func.func @two(%A : memref<3x16xi32>, %B : memref<3x16xi32>, %C : memref<?xi32>, %seen : memref<i32>) {
  %s = memref.alloc() : memref<i32>
  %t = memref.alloc() : memref<i32>
  %zero = arith.constant 0 : i32
  affine.store %zero, %s[] : memref<i32>
  affine.store %zero, %t[] : memref<i32>
  affine.for %i = 0 to 3 {
    %none = arith.constant dense<0> : vector<8xi32>
    %l, %m, %n = affine.for %v = 0 to 16 step 8 iter_args(%x = %none, %y = %none, %z = %none) -> (vector<8xi32>, vector<8xi32>, vector<8xi32>) {
      %a = affine.vector_load %A[%i, %v] : memref<3x16xi32>, vector<8xi32>
      %b = affine.vector_load %B[%i, %v] : memref<3x16xi32>, vector<8xi32>
      %u = arith.addi %x, %a : vector<8xi32>
      %w = arith.addi %y, %b : vector<8xi32>
      %ab = arith.addi %a, %b : vector<8xi32>
      %q = arith.addi %z, %ab : vector<8xi32>
      affine.yield %u, %w, %q : vector<8xi32>, vector<8xi32>, vector<8xi32>
    }
    %sum_l = vector.reduction <add>, %l : vector<8xi32> into i32
    %sum_m = vector.reduction <add>, %m : vector<8xi32> into i32
    %sum_n = vector.reduction <add>, %n : vector<8xi32> into i32
    %old_l = affine.load %seen[] : memref<i32>
    %new_l = arith.addi %old_l, %sum_l : i32
    affine.store %new_l, %seen[] : memref<i32>
    %old_m = affine.load %s[] : memref<i32>
    %new_m = arith.addi %old_m, %sum_m : i32
    affine.store %new_m, %s[] : memref<i32>
    %old_n = affine.load %t[] : memref<i32>
    %new_n = arith.addi %old_n, %sum_n : i32
    affine.store %new_n, %t[] : memref<i32>
  }
  %c = affine.load %s[] : memref<i32>
  %d = affine.load %t[] : memref<i32>
  affine.store %c, %C[0] : memref<?xi32>
  affine.store %d, %C[1] : memref<?xi32>
  func.return
}

// CHECK-LABEL: func.func @two(
// CHECK:         [[ALL:%\d+]], [[BOTH:%\d+]] = affine.for %i = 0 to 3 iter_args([[S:%\d+]] = {{.*}}, [[T:%\d+]] = {{.*}})
// CHECK:           [[NONE:%\w+]] = arith.constant dense<0>
// CHECK:           %l, %m, %n = affine.for %v = 0 to 16 step 8 iter_args(%x = [[NONE]], %y = [[S]], %z = [[T]])
// CHECK:           affine.store %new_l, %seen[]
// CHECK-NEXT:      affine.yield %m, %n
// CHECK:         vector.reduction <add>, [[BOTH]]
// CHECK:         vector.reduction <add>, [[ALL]]

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

// Nor out of a loop whose bounds are quotients: it may have no iteration.
func.func @to_a_quotient(%f : index, %A : memref<3x16xi32>, %C : memref<?xi32>) {
  %s = memref.alloc(%f) : memref<?xi32>
  affine.for %i = 0 to affine_map<(d0) -> (d0 floordiv 4)>(%f) {
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

func.func @from_a_remainder(%f : index, %A : memref<3x16xi32>, %C : memref<?xi32>) {
  %s = memref.alloc(%f) : memref<?xi32>
  affine.for %i = affine_map<(d0) -> (d0 mod 4)>(%f) to 3 {
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

// CHECK-LABEL: func.func @to_a_quotient(
// CHECK:         affine.for %i = 0 to affine_map<(d0) -> ((d0 floordiv 4))>(%f) {
// CHECK-LABEL: func.func @from_a_remainder(
// CHECK:         affine.for %i = affine_map<(d0) -> ((d0 mod 4))>(%f) to 3 {
