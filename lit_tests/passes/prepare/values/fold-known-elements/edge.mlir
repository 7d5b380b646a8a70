// The last element is a number, and one behind it or in front of the first is none; the bytes may be read
// as numbers of another type, but only those that the table has.
// RUN: polyopt-opt %s -p fold-known-elements | filecheck %s

builtin.module {
  cmem.global "internal" constant @table size 8 align 4 bytes [1, 0, 0, 0, 0, 0, -128, -65]
  cmem.global "internal" constant @odd size 3 align 1 bytes [1, 2, -1]

  // CHECK-LABEL: func.func @ends
  // CHECK:         %a = arith.constant -1082130432 : i32
  // CHECK-NEXT:    %b = memref.load
  // CHECK-NEXT:    %c = memref.load
  // CHECK-NEXT:    func.return
  func.func @ends() -> (i32, i32, i32) {
    %first = arith.constant -1 : index
    %last = arith.constant 1 : index
    %behind = arith.constant 2 : index
    %p = cmem.address_of @table
    %t = cmem.view %p[] : memref<?xi32>
    %a = memref.load %t[%last] : memref<?xi32>
    %b = memref.load %t[%behind] : memref<?xi32>
    %c = memref.load %t[%first] : memref<?xi32>
    func.return %a, %b, %c : i32, i32, i32
  }

  // CHECK-LABEL: func.func @readings
  // CHECK:         %f = arith.constant -1.000000e+00 : f32
  // CHECK-NEXT:    %l = arith.constant -4647714815446351871 : i64
  // CHECK-NEXT:    %s = memref.load
  // CHECK-NEXT:    func.return
  func.func @readings() -> (f32, i64, i16) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %p = cmem.address_of @table
    %t = cmem.view %p[] : memref<?xf32>
    %w = cmem.view %p[] : memref<?xi64>
    %q = cmem.address_of @odd
    %h = cmem.view %q[] : memref<?xi16>
    %f = memref.load %t[%one] : memref<?xf32>
    %l = memref.load %w[%zero] : memref<?xi64>
    %s = memref.load %h[%one] : memref<?xi16>
    func.return %f, %l, %s : f32, i64, i16
  }
}
