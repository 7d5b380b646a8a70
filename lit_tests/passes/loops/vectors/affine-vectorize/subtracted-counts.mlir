// Without AVX-512, what is counted under a condition is subtracted: n -= x[i] < a ? -1 : 0; with it, and of bytes, ones are added.
// RUN: polyopt-opt %s -p 'affine-vectorize{march=x86-64-v3}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-vectorize{march=x86-64-v4}' | filecheck %s --check-prefix ADDED

// CHECK-LABEL: @else_if(
// CHECK:         [[MINUS:%.*]] = arith.constant -1 : i32
// CHECK:         [[ALL:%.*]] = vector.broadcast [[MINUS]] : i32 to vector<8xi32>
// CHECK:         pvec.select {{%.*}}, [[ALL]], {{%.*}} : vector<8xi1>, vector<8xi32>
// CHECK:         arith.addi {{%.*}}, {{%.*}} : vector<8xi32>
// CHECK:         [[SUM:%.*]] = vector.reduction <add>, {{%.*}} : vector<8xi32> into i32
// CHECK:         arith.subi {{%.*}}, [[SUM]]

// ADDED-LABEL: @else_if(
// ADDED-NOT:     arith.constant -1 : i32
// ADDED-LABEL: @of_bytes(
func.func @else_if(%x : memref<?xf32>, %end : index, %a : f32, %b : f32) -> i32 {
  %n = memref.alloca() : memref<i32>
  affine.for %i = 0 to %end {
    %v = affine.load %x[%i] : memref<?xf32>
    %low = arith.cmpf olt, %v, %a : f32
    %high = arith.cmpf ogt, %v, %b : f32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %is_high = arith.select %high, %one, %zero : i32
    %counts = arith.select %low, %zero, %is_high : i32
    %old = affine.load %n[] : memref<i32>
    %new = arith.addi %old, %counts : i32
    affine.store %new, %n[] : memref<i32>
  }
  %all = affine.load %n[] : memref<i32>
  func.return %all : i32
}

// CHECK-LABEL: @of_bytes(
// CHECK-NOT:     arith.constant -1 : i32
func.func @of_bytes(%x : memref<?xi8>, %end : index, %a : i8) -> i32 {
  %n = memref.alloca() : memref<i32>
  affine.for %i = 0 to %end {
    %v = affine.load %x[%i] : memref<?xi8>
    %low = arith.cmpi slt, %v, %a : i8
    %counts = arith.extui %low : i1 to i32
    %old = affine.load %n[] : memref<i32>
    %new = arith.addi %old, %counts : i32
    affine.store %new, %n[] : memref<i32>
  }
  %all = affine.load %n[] : memref<i32>
  func.return %all : i32
}
