// RUN: polyopt-opt -p drop-buffers %s | filecheck %s

// A buffer stays whole where another loop loads it, another iteration stored what is loaded, only
// some ways lead through the store, or something that is no affine access has it.

// CHECK-LABEL: @another_loop
// CHECK: memref.alloc
// CHECK: affine.store %{{.*}}, %t
// CHECK: affine.load %t
// CHECK: affine.load %t
func.func @another_loop(%n: index, %a: memref<?xf64>) {
  %t = memref.alloc(%n) : memref<?xf64>
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf64>
    affine.store %x, %t[%i] : memref<?xf64>
    %y = affine.load %t[%i] : memref<?xf64>
    affine.store %y, %a[%i] : memref<?xf64>
  }
  affine.for %i = 0 to %n {
    %x = affine.load %t[%i] : memref<?xf64>
    affine.store %x, %a[%i] : memref<?xf64>
  }
  memref.dealloc %t : memref<?xf64>
  func.return
}

// CHECK-LABEL: @another_iteration
// CHECK: affine.load %t[0]
func.func @another_iteration(%n: index, %a: memref<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %t = memref.alloc(%n) : memref<?xf64>
  affine.store %zero, %t[0] : memref<?xf64>
  affine.for %i = 0 to %n {
    %x = affine.load %t[0] : memref<?xf64>
    %y = affine.load %a[%i] : memref<?xf64>
    %s = arith.addf %x, %y : f64
    affine.store %s, %t[0] : memref<?xf64>
  }
  memref.dealloc %t : memref<?xf64>
  func.return
}

// CHECK-LABEL: @some_ways
// CHECK: affine.load %t
func.func @some_ways(%n: index, %a: memref<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %t = memref.alloc(%n) : memref<?xf64>
  affine.for %i = 0 to %n {
    affine.store %zero, %t[%i] : memref<?xf64>
    "affine.if"(%i) <{condition = affine_set<(d0) : (d0 - 7 >= 0)>}> ({
      %x = affine.load %a[%i] : memref<?xf64>
      affine.store %x, %t[%i] : memref<?xf64>
      affine.yield
    }, {}) : (index) -> ()
    %y = affine.load %t[%i] : memref<?xf64>
    affine.store %y, %a[%i] : memref<?xf64>
  }
  memref.dealloc %t : memref<?xf64>
  func.return
}

// CHECK-LABEL: @handed_on
// CHECK: affine.load %t
func.func private @other(memref<?xf64>) -> ()
func.func @handed_on(%n: index, %a: memref<?xf64>) {
  %t = memref.alloc(%n) : memref<?xf64>
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf64>
    affine.store %x, %t[%i] : memref<?xf64>
    func.call @other(%t) : (memref<?xf64>) -> ()
    %y = affine.load %t[%i] : memref<?xf64>
    affine.store %y, %a[%i] : memref<?xf64>
  }
  memref.dealloc %t : memref<?xf64>
  func.return
}

// What a loop inside takes from outside each time stays in memory.
// CHECK-LABEL: @inside_of_a_loop
// CHECK: memref.alloc
func.func @inside_of_a_loop(%n: index, %a: memref<?xf64>, %b: memref<?xf64>) {
  %t = memref.alloc(%n) : memref<?xf64>
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf64>
    affine.store %x, %t[%i] : memref<?xf64>
    affine.for %j = 0 to %n {
      %y = affine.load %t[%i] : memref<?xf64>
      affine.store %y, %b[%j] : memref<?xf64>
    }
  }
  memref.dealloc %t : memref<?xf64>
  func.return
}
