// Where a variable that keeps the best value is looked at once more in an iteration, or may be what
// another access touches, every iteration has to leave it as it is: lanes keep no values of their own.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"}' | filecheck %s

// CHECK-NOT: vector<

func.func @asked_for_before(%bound : i32, %n : index, %v : memref<?xi32>) {
  %l = memref.alloca() : memref<i32>
  affine.for %j = 0 to %n {
    %so_far = affine.load %l[] : memref<i32>
    %goes_on = arith.cmpi slt, %so_far, %bound : i32
    scf.if %goes_on {
      %new = affine.load %v[%j] : memref<?xi32>
      %old = affine.load %l[] : memref<i32>
      %best = arith.maxsi %new, %old : i32
      affine.store %best, %l[] : memref<i32>
    }
  }
  func.return
}

func.func @may_be_the_other(%bound : i32, %n : index, %v : memref<?xi32>, %p : !llvm.ptr) {
  %l = cmem.view %p [] : memref<i32>
  %m = cmem.view %p [] : memref<i32>
  affine.for %j = 0 to %n {
    %new = affine.load %v[%j] : memref<?xi32>
    %is_asked = arith.cmpi ne, %new, %bound : i32
    %old = affine.load %m[] : memref<i32>
    %better = arith.maxsi %new, %old : i32
    %best = arith.select %is_asked, %better, %old : i32
    affine.store %best, %l[] : memref<i32>
  }
  func.return
}

func.func @nothing_else_is_touched(%bound : i32, %n : index, %p : !llvm.ptr) {
  %l = cmem.view %p [] : memref<i32>
  %m = cmem.view %p [] : memref<i32>
  affine.for %j = 0 to %n {
    %new = arith.index_cast %j : index to i32
    %is_asked = arith.cmpi ne, %new, %bound : i32
    %old = affine.load %m[] : memref<i32>
    %better = arith.maxsi %new, %old : i32
    %best = arith.select %is_asked, %better, %old : i32
    affine.store %best, %l[] : memref<i32>
  }
  func.return
}
