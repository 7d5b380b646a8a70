// What all rows add to is added up in each of them first: then the rows' recurrences run in lanes,
// and what they have found is added up by one lane after the other.
// RUN: polyopt-opt %s -p 'affine-lanes{march="x86-64-v3" vectors=1 force=true}' | filecheck %s

// It does: a count beside a recurrence. What may wrap in another order is not said not to.
func.func @count(%n : index, %m : index, %s : memref<?xi32> {llvm.noalias}) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %c = memref.alloca() : memref<i32>
  %x = memref.alloca() : memref<i32>
  affine.store %zero, %c[] : memref<i32>
  affine.for %i = 0 to %n {
    %first = affine.load %s[%i] : memref<?xi32>
    affine.store %first, %x[] : memref<i32>
    affine.for %j = 0 to %m {
      %old = affine.load %x[] : memref<i32>
      %moved = arith.shli %old, %five : i32
      %new = arith.xori %old, %moved : i32
      affine.store %new, %x[] : memref<i32>
      %bit = arith.andi %new, %one : i32
      %before = affine.load %c[] : memref<i32>
      %after = arith.addi %before, %bit overflow<nsw> : i32
      affine.store %after, %c[] : memref<i32>
    }
  }
  %r = affine.load %c[] : memref<i32>
  func.return %r : i32
}

// CHECK-LABEL: func.func @count
// CHECK:         affine.for %i = 0 to {{.*}} step 8
// CHECK:           affine.for {{.*}} iter_args(
// CHECK:             arith.addi %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : vector<8xi32>
// CHECK:             affine.yield {{.*}} : vector<8xi32>, vector<8xi32>
// CHECK:           affine.for %i{{.*}} = {{.*}}(%i) to
// CHECK:             affine.load %c[]
// CHECK:             arith.addi %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : i32
// CHECK-NEXT:        affine.store {{.*}}, %c[]

// What is subtracted from it is added up, and subtracted behind the row.
func.func @left(%n : index, %m : index, %s : memref<?xi32> {llvm.noalias}) -> i32 {
  %zero = arith.constant 0 : i32
  %five = arith.constant 5 : i32
  %c = memref.alloca() : memref<i32>
  %x = memref.alloca() : memref<i32>
  affine.store %zero, %c[] : memref<i32>
  affine.for %i = 0 to %n {
    %first = affine.load %s[%i] : memref<?xi32>
    affine.store %first, %x[] : memref<i32>
    affine.for %j = 0 to %m {
      %old = affine.load %x[] : memref<i32>
      %moved = arith.shli %old, %five : i32
      %new = arith.xori %old, %moved : i32
      affine.store %new, %x[] : memref<i32>
      %before = affine.load %c[] : memref<i32>
      %after = arith.subi %before, %new : i32
      affine.store %after, %c[] : memref<i32>
    }
  }
  %r = affine.load %c[] : memref<i32>
  func.return %r : i32
}

// CHECK-LABEL: func.func @left
// CHECK:           arith.addi {{.*}} : vector<8xi32>
// CHECK:             affine.load %c[]
// CHECK:             arith.subi %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : i32

// It refuses: floating-point sums that nobody permits to be regrouped.
func.func @rounded(%n : index, %m : index, %s : memref<?xf64> {llvm.noalias}) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c = memref.alloca() : memref<f64>
  %x = memref.alloca() : memref<f64>
  affine.store %zero, %c[] : memref<f64>
  affine.for %i = 0 to %n {
    %first = affine.load %s[%i] : memref<?xf64>
    affine.store %first, %x[] : memref<f64>
    affine.for %j = 0 to %m {
      %old = affine.load %x[] : memref<f64>
      %new = arith.mulf %old, %first : f64
      affine.store %new, %x[] : memref<f64>
      %before = affine.load %c[] : memref<f64>
      %after = arith.addf %before, %new : f64
      affine.store %after, %c[] : memref<f64>
    }
  }
  %r = affine.load %c[] : memref<f64>
  func.return %r : f64
}

// CHECK-LABEL: func.func @rounded
// CHECK-NOT:     vector

// Nor what a row looks at before it is complete.
func.func @watched(%n : index, %m : index, %s : memref<?xi32> {llvm.noalias}) -> i32 {
  %zero = arith.constant 0 : i32
  %c = memref.alloca() : memref<i32>
  %x = memref.alloca() : memref<i32>
  affine.store %zero, %c[] : memref<i32>
  affine.for %i = 0 to %n {
    %first = affine.load %s[%i] : memref<?xi32>
    %so_far = affine.load %c[] : memref<i32>
    %begun = arith.xori %first, %so_far : i32
    affine.store %begun, %x[] : memref<i32>
    affine.for %j = 0 to %m {
      %old = affine.load %x[] : memref<i32>
      %new = arith.muli %old, %old : i32
      affine.store %new, %x[] : memref<i32>
      %before = affine.load %c[] : memref<i32>
      %after = arith.addi %before, %new : i32
      affine.store %after, %c[] : memref<i32>
    }
  }
  %r = affine.load %c[] : memref<i32>
  func.return %r : i32
}

// CHECK-LABEL: func.func @watched
// CHECK-NOT:     vector

// Nor memory from elsewhere, to which the source may write nothing at all.
func.func @elsewhere(%n : index, %m : index, %s : memref<?xi32> {llvm.noalias},
                     %c : memref<i32> {llvm.noalias}) {
  %x = memref.alloca() : memref<i32>
  affine.for %i = 0 to %n {
    %first = affine.load %s[%i] : memref<?xi32>
    affine.store %first, %x[] : memref<i32>
    affine.for %j = 0 to %m {
      %old = affine.load %x[] : memref<i32>
      %new = arith.muli %old, %old : i32
      affine.store %new, %x[] : memref<i32>
      %before = affine.load %c[] : memref<i32>
      %after = arith.addi %before, %new : i32
      affine.store %after, %c[] : memref<i32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @elsewhere
// CHECK-NOT:     vector
