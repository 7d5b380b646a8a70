// RUN: polyopt-opt -p drop-buffers %s | filecheck %s

// Two temporaries with a place for each iteration, the second a copy of the first and then something
// else, are values; so are those that a condition stores and loads, and those of an iteration around.

// CHECK-LABEL: @least
// CHECK-NOT: memref.alloc
// CHECK: affine.for
// CHECK-NEXT: %[[X:.*]] = affine.load %a[%{{.*}}]
// CHECK-NEXT: %[[Y:.*]] = affine.load %a[%{{.*}} + 1]
// CHECK-NEXT: %[[LEAST:.*]] = arith.minsi %[[X]], %[[Y]]
// CHECK-NEXT: affine.store %[[LEAST]], %b
// CHECK-NEXT: }
// CHECK-NEXT: func.return
func.func @least(%n: index, %a: memref<?xi32>, %b: memref<?xi32>) {
  %s = memref.alloc(%n) : memref<?xi32>
  %t = memref.alloc(%n) : memref<?xi32>
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xi32>
    affine.store %x, %s[%i] : memref<?xi32>
    %copy = affine.load %s[%i] : memref<?xi32>
    affine.store %copy, %t[%i] : memref<?xi32>
    %old = affine.load %t[%i] : memref<?xi32>
    %y = affine.load %a[%i + 1] : memref<?xi32>
    %m = arith.minsi %old, %y : i32
    affine.store %m, %t[%i] : memref<?xi32>
    %new = affine.load %t[%i] : memref<?xi32>
    affine.store %new, %b[%i] : memref<?xi32>
  }
  memref.dealloc %t : memref<?xi32>
  memref.dealloc %s : memref<?xi32>
  func.return
}

// CHECK-LABEL: @inside_of_a_condition
// CHECK-NOT: memref.alloc
// CHECK: affine.for
// CHECK-NEXT: %[[X:.*]] = affine.load %a[%{{.*}}]
// CHECK-NEXT: "affine.if"
// CHECK-NEXT: affine.store %[[X]], %b
func.func @inside_of_a_condition(%n: index, %a: memref<?xf64>, %b: memref<?xf64>) {
  %t = memref.alloc(%n) : memref<?xf64>
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf64>
    affine.store %x, %t[%i] : memref<?xf64>
    "affine.if"(%i) <{condition = affine_set<(d0) : (d0 - 3 >= 0)>}> ({
      %y = affine.load %t[%i] : memref<?xf64>
      affine.store %y, %b[%i] : memref<?xf64>
      affine.yield
    }, {}) : (index) -> ()
  }
  memref.dealloc %t : memref<?xf64>
  func.return
}
