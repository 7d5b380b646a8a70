// A sum of running sums is one of products in any number of lanes; not where each running sum is stored, nor
// of floating-point numbers, nor of few.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"}' | filecheck %s

func.func @closed(%n : index, %p : memref<?xi32> {llvm.noalias}, %a : memref<i32> {llvm.noalias},
                  %b : memref<i32> {llvm.noalias}) {
  affine.for %i = 3 to %n {
    %x = affine.load %p[%i] : memref<?xi32>
    %s = affine.load %a[] : memref<i32>
    %t = arith.addi %s, %x : i32
    affine.store %t, %a[] : memref<i32>
    %u = affine.load %b[] : memref<i32>
    %v = arith.addi %u, %t : i32
    affine.store %v, %b[] : memref<i32>
  }
  func.return
}

// CHECK-LABEL: func.func @closed
// CHECK:         "affine.if"(%n) <{condition = affine_set<(d0) : ((d0 + -4) >= 0)>}>
// CHECK:         [[N:%.*]] = arith.index_cast {{.*}} : index to i32
// CHECK-NEXT:    [[A:%.*]] = affine.load %a[]
// CHECK-NEXT:    [[W:%.*]] = arith.muli [[N]], [[A]] : i32
// CHECK-NEXT:    [[B:%.*]] = affine.load %b[]
// CHECK-NEXT:    [[S:%.*]] = arith.addi [[B]], [[W]] : i32
// CHECK-NEXT:    affine.store [[S]], %b[]
// CHECK:         affine.for {{.*}} step 16
// CHECK:           arith.muli {{.*}} : vector<16xi32>

func.func @stored(%n : index, %p : memref<?xi32> {llvm.noalias}, %a : memref<i32> {llvm.noalias},
                  %b : memref<i32> {llvm.noalias}, %c : memref<?xi32> {llvm.noalias}) {
  affine.for %i = 3 to %n {
    %x = affine.load %p[%i] : memref<?xi32>
    %s = affine.load %a[] : memref<i32>
    %t = arith.addi %s, %x : i32
    affine.store %t, %a[] : memref<i32>
    affine.store %t, %c[%i] : memref<?xi32>
    %u = affine.load %b[] : memref<i32>
    %v = arith.addi %u, %t : i32
    affine.store %v, %b[] : memref<i32>
  }
  func.return
}

// CHECK-LABEL: func.func @stored
// CHECK-NOT:     arith.muli

func.func @floats(%n : index, %p : memref<?xf32> {llvm.noalias}, %a : memref<f32> {llvm.noalias},
                  %b : memref<f32> {llvm.noalias}) {
  affine.for %i = 3 to %n {
    %x = affine.load %p[%i] : memref<?xf32>
    %s = affine.load %a[] : memref<f32>
    %t = arith.addf %s, %x fastmath<fast> : f32
    affine.store %t, %a[] : memref<f32>
    %u = affine.load %b[] : memref<f32>
    %v = arith.addf %u, %t fastmath<fast> : f32
    affine.store %v, %b[] : memref<f32>
  }
  func.return
}

// CHECK-LABEL: func.func @floats
// CHECK-NOT:     arith.mulf

func.func @few(%p : memref<?xi32> {llvm.noalias}, %a : memref<i32> {llvm.noalias},
               %b : memref<i32> {llvm.noalias}) {
  affine.for %i = 0 to 9 {
    %x = affine.load %p[%i] : memref<?xi32>
    %s = affine.load %a[] : memref<i32>
    %t = arith.addi %s, %x : i32
    affine.store %t, %a[] : memref<i32>
    %u = affine.load %b[] : memref<i32>
    %v = arith.addi %u, %t : i32
    affine.store %v, %b[] : memref<i32>
  }
  func.return
}

// CHECK-LABEL: func.func @few
// CHECK-NOT:     arith.muli
