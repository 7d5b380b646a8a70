// Elements of constant tables at constant places are numbers; of tables that may change, that are
// defined elsewhere, or at places outside of them, they are loaded.
// RUN: polyopt-opt %s -p fold-known-elements | filecheck %s

builtin.module {
  cmem.global "internal" constant @weights size 8 align 4 bytes [1, 0, 0, 0, -2, -1, -1, -1]
  cmem.global "internal" constant @reals size 16 align 8 bytes [0, 0, 0, 0, 0, 0, -8, 63, 0, 0, 0, 0, 0, 0, 0, -64]
  cmem.global "external" @changed size 4 align 4 bytes [1, 0, 0, 0]
  cmem.global "external" constant declaration @elsewhere size 4 align 4

  func.func @known() -> (i32, f64) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %c1 = arith.index_cast %one : i32 to index
    %p = cmem.address_of @weights
    %w = cmem.view %p[] : memref<1x2xi32>
    %q = cmem.address_of @reals
    %r = cmem.view %q[] : memref<2xf64>
    %x = memref.load %w[%c0, %c1] : memref<1x2xi32>
    %y = memref.load %r[%c0] : memref<2xf64>
    func.return %x, %y : i32, f64
  }

  // CHECK-LABEL: func.func @known
  // CHECK:         %x = arith.constant -2 : i32
  // CHECK-NEXT:    %y = arith.constant 1.500000e+00 : f64
  // CHECK-NEXT:    func.return %x, %y

  func.func @loaded(%i: index) -> (i32, i32, i32, i32) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %p = cmem.address_of @weights
    %w = cmem.view %p[] : memref<2xi32>
    %q = cmem.address_of @changed
    %r = cmem.view %q[] : memref<1xi32>
    %s = cmem.address_of @elsewhere
    %t = cmem.view %s[] : memref<1xi32>
    %a = memref.load %w[%i] : memref<2xi32>
    %b = memref.load %r[%c0] : memref<1xi32>
    %c = memref.load %t[%c0] : memref<1xi32>
    %d = memref.load %w[%c2] : memref<2xi32>
    func.return %a, %b, %c, %d : i32, i32, i32, i32
  }

  // CHECK-LABEL: func.func @loaded
  // CHECK:         %a = memref.load %w[%i]
  // CHECK-NEXT:    %b = memref.load %r[%c0]
  // CHECK-NEXT:    %c = memref.load %t[%c0]
  // CHECK-NEXT:    %d = memref.load %w[%c2]
}
