// At the edges: as much as lies on the stack and one tile more, one element, a panel that nobody
// uses.
// RUN: polyopt-opt %s -p 'contract-place' | filecheck %s

// 128 x 16 x 8 bytes are 16 KiB.
func.func @as_much(%x : index) {
  %p = contract.panel across affine_map<() -> (128)> deep affine_map<() -> (16)> with () : !contract.panel<4, f64>
  "test.op"(%p) : (!contract.panel<4, f64>) -> ()
  func.return
}

// CHECK-LABEL: @as_much(
// CHECK-NEXT:    %p = memref.alloca() {alignment = 64 : i64} : memref<32x16x4xf64>
// CHECK-NEXT:    "test.op"(%p) : (memref<32x16x4xf64>) -> ()
// CHECK-NEXT:    func.return

// 132 x 16 x 8 bytes are more.
func.func @one_more(%x : index) {
  %p = contract.panel across affine_map<() -> (132)> deep affine_map<() -> (16)> with () : !contract.panel<4, f64>
  "test.op"(%p) : (!contract.panel<4, f64>) -> ()
  func.return
}

// CHECK-LABEL: @one_more(
// CHECK-NEXT:    %p = memref.alloc() {alignment = 64 : i64} : memref<33x16x4xf64>
// CHECK-NEXT:    "test.op"(%p) : (memref<33x16x4xf64>) -> ()
// CHECK-NEXT:    memref.dealloc %p : memref<33x16x4xf64>
// CHECK-NEXT:    func.return

// A panel has whole tiles.
func.func @one(%x : index) {
  %p = contract.panel across affine_map<() -> (1)> deep affine_map<() -> (1)> with () : !contract.panel<4, f64>
  "test.op"(%p) : (!contract.panel<4, f64>) -> ()
  func.return
}

// CHECK-LABEL: @one(
// CHECK-NEXT:    %p = memref.alloca() {alignment = 64 : i64} : memref<1x1x4xf64>
// CHECK-NEXT:    "test.op"(%p) : (memref<1x1x4xf64>) -> ()
// CHECK-NEXT:    func.return

func.func @unused(%x : index) {
  %p = contract.panel across affine_map<() -> (1)> deep affine_map<() -> (1)> with () : !contract.panel<4, f64>
  func.return
}

// CHECK-LABEL: @unused(
// CHECK-NEXT:    %p = memref.alloca() {alignment = 64 : i64} : memref<1x1x4xf64>
// CHECK-NEXT:    func.return
