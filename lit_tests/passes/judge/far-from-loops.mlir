// RUN: polyopt-opt %s -p keep-as-written | filecheck %s
// RUN: polyopt-opt %s -p keep-as-written,promote-scalars | filecheck %s --check-prefix=LEFT
// RUN: polyopt-opt %s -p keep-as-written,promote-scalars,keep-what-pays | filecheck %s --check-prefix=BACK

// Functions that have nothing to do with loops are marked, and no pass prepares anything in them. Not
// marked are what loops call, at whatever distance, and who passes such functions numbers that may
// say how long the loops are, or two pointers that may be to different objects, at whatever distance.

// CHECK: func.func @loop(%n: i32, %p: !llvm.ptr) {
func.func @loop(%n: i32, %p: !llvm.ptr) {
  cf.br ^head
^head:
  func.call @called(%n) : (i32) -> ()
  cf.br ^head
}

// CHECK: func.func @called(%n: i32) {
func.func @called(%n: i32) {
  func.call @called_further() : () -> ()
  func.return
}

// CHECK: func.func @called_further() {
func.func @called_further() {
  func.return
}

// CHECK: func.func @tells(%n: i32, %p: !llvm.ptr) {
func.func @tells(%n: i32, %p: !llvm.ptr) {
  func.call @loop(%n, %p) : (i32, !llvm.ptr) -> ()
  func.return
}

// CHECK: func.func @tells_further(%n: i32, %p: !llvm.ptr) {
func.func @tells_further(%n: i32, %p: !llvm.ptr) {
  func.call @tells(%n, %p) : (i32, !llvm.ptr) -> ()
  func.return
}

// CHECK: func.func @two(%p: !llvm.ptr, %q: !llvm.ptr) {
func.func @two(%p: !llvm.ptr, %q: !llvm.ptr) {
  cf.br ^head
^head:
  cf.br ^head
}

// CHECK: func.func @apart(%p: !llvm.ptr, %q: !llvm.ptr) {
func.func @apart(%p: !llvm.ptr, %q: !llvm.ptr) {
  func.call @two(%p, %q) : (!llvm.ptr, !llvm.ptr) -> ()
  func.return
}

// CHECK: func.func @tells_what_is_seen(%p: !llvm.ptr) attributes {poly.far_from_loops} {
func.func @tells_what_is_seen(%p: !llvm.ptr) {
  %n = arith.constant 9 : i32
  func.call @loop(%n, %p) : (i32, !llvm.ptr) -> ()
  func.return
}

// CHECK: func.func @far(%n: i32) -> i32 attributes {poly.far_from_loops} {
// LEFT:  func.func @far(
// LEFT:    memref.alloca
// BACK:  func.func @far(%n: i32) -> i32 {
func.func @far(%n: i32) -> i32 {
  %m = memref.alloca() : memref<i32>
  memref.store %n, %m[] : memref<i32>
  %r = memref.load %m[] : memref<i32>
  func.return %r : i32
}

// CHECK: func.func @counts_bits(%x: i32) -> i32 {
func.func @counts_bits(%x: i32) -> i32 {
  %fives = arith.constant 1431655765 : i32
  %threes = arith.constant 858993459 : i32
  %a = arith.andi %x, %fives : i32
  %b = arith.andi %a, %threes : i32
  func.return %b : i32
}
