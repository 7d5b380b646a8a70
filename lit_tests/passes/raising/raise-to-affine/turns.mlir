// RUN: polyopt-opt %s -p raise-to-affine | filecheck %s

// Memrefs that change places: the loop is unrolled until each is back, with the question for one more
// iteration between. Not where the loop's results are used, a number is carried too, or something is called.

builtin.module {
  // CHECK-LABEL: func.func @two
  // CHECK:         affine.for %t = 0 to %n step 2 {
  // CHECK-NEXT:      %x = affine.load %a[%t]
  // CHECK-NEXT:      affine.store %x, %b[%t]
  // CHECK-NEXT:      affine.if
  // CHECK-NEXT:        %x{{.*}} = affine.load %b[%t + 1]
  // CHECK-NEXT:        affine.store %x{{.*}}, %a[%t + 1]
  func.func @two(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %r, %s = scf.for %t = %zero to %n step %one iter_args(%p = %a, %q = %b) -> (memref<?xf64>, memref<?xf64>) {
      %x = memref.load %p[%t] : memref<?xf64>
      memref.store %x, %q[%t] : memref<?xf64>
      scf.yield %q, %p : memref<?xf64>, memref<?xf64>
    }
    func.return
  }

  // CHECK-LABEL: func.func @three
  // CHECK:         affine.for %t = 5 to 50 step 6 {
  // CHECK:           affine.load %a[%t]
  // CHECK:           affine.store {{.*}}, %c[%t]
  // CHECK:           affine.if
  // CHECK:             affine.load %b[%t + 2]
  // CHECK:             affine.store {{.*}}, %a[%t + 2]
  // CHECK:             affine.if
  // CHECK:               affine.load %c[%t + 4]
  // CHECK:               affine.store {{.*}}, %b[%t + 4]
  func.func @three(%a: memref<60xf64>, %b: memref<60xf64>, %c: memref<60xf64>) {
    %low = arith.constant 5 : index
    %high = arith.constant 50 : index
    %step = arith.constant 2 : index
    %r:3 = scf.for %t = %low to %high step %step iter_args(%p = %a, %q = %b, %o = %c) -> (memref<60xf64>, memref<60xf64>, memref<60xf64>) {
      %x = memref.load %p[%t] : memref<60xf64>
      memref.store %x, %o[%t] : memref<60xf64>
      scf.yield %q, %o, %p : memref<60xf64>, memref<60xf64>, memref<60xf64>
    }
    func.return
  }

  // CHECK-LABEL: func.func @asked_for
  // CHECK:         affine.for %t = 0 to %n iter_args(
  func.func @asked_for(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) -> memref<?xf64> {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %r, %s = scf.for %t = %zero to %n step %one iter_args(%p = %a, %q = %b) -> (memref<?xf64>, memref<?xf64>) {
      %x = memref.load %p[%t] : memref<?xf64>
      memref.store %x, %q[%t] : memref<?xf64>
      scf.yield %q, %p : memref<?xf64>, memref<?xf64>
    }
    func.return %r : memref<?xf64>
  }

  // CHECK-LABEL: func.func @with_a_number
  // CHECK:         affine.for %t = 0 to %n iter_args(
  func.func @with_a_number(%a: memref<?xf64>, %b: memref<?xf64>, %n: index, %f: f64) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %r, %s, %u = scf.for %t = %zero to %n step %one iter_args(%p = %a, %q = %b, %x = %f) -> (memref<?xf64>, memref<?xf64>, f64) {
      %y = arith.addf %x, %x : f64
      memref.store %y, %q[%t] : memref<?xf64>
      scf.yield %q, %p, %y : memref<?xf64>, memref<?xf64>, f64
    }
    func.return
  }

  // CHECK-LABEL: func.func @with_a_call
  // CHECK:         affine.for %t = 0 to %n iter_args(
  func.func @with_a_call(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %r, %s = scf.for %t = %zero to %n step %one iter_args(%p = %a, %q = %b) -> (memref<?xf64>, memref<?xf64>) {
      func.call @other(%p, %q) : (memref<?xf64>, memref<?xf64>) -> ()
      scf.yield %q, %p : memref<?xf64>, memref<?xf64>
    }
    func.return
  }
  func.func private @other(memref<?xf64>, memref<?xf64>)
}
