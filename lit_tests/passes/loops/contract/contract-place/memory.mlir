// Panels get memory for the greatest block, aligned to lines: on the stack where it is little, else
// until behind the last use; one that is kept, in front of the loop around.
// RUN: polyopt-opt %s -p contract-place | filecheck %s

// CHECK-LABEL: func.func @little
// CHECK-NEXT:    %p = memref.alloca() {alignment = 64 : i64} : memref<2x16x4xf64>
// CHECK-NEXT:    "test.op"(%p) : (memref<2x16x4xf64>) -> ()
// CHECK-NEXT:    func.return
func.func @little() {
  %p = contract.panel across affine_map<() -> (7, 8)> deep affine_map<() -> (16)> with () : !contract.panel<4, f64>
  "test.op"(%p) : (!contract.panel<4, f64>) -> ()
  func.return
}

// Two panels: freed behind the loop that uses both, in front of what comes next.
// CHECK-LABEL: func.func @until_the_last_use
// CHECK-NEXT:    [[N:%.*]] = affine.min affine_map<(d0) -> (d0, 512)> (%n)
// CHECK-NEXT:    [[T:%.*]] = affine.apply affine_map<(d0) -> ((d0 ceildiv 4))> ([[N]])
// CHECK-NEXT:    %p = memref.alloc([[T]]) {alignment = 64 : i64} : memref<?x16x4xf64>
// CHECK:         %q = memref.alloc(
// CHECK-NEXT:    affine.for
// CHECK:         }
// CHECK-NEXT:    memref.dealloc %p
// CHECK-NEXT:    memref.dealloc %q
// CHECK-NEXT:    "test.op"() : () -> ()
func.func @until_the_last_use(%n: index) {
  %p = contract.panel across affine_map<()[n] -> (n, 512)> deep affine_map<()[n] -> (16)> with (%n) : !contract.panel<4, f64>
  %q = contract.panel across affine_map<()[n] -> (n, 512)> deep affine_map<()[n] -> (16)> with (%n) : !contract.panel<8, f64>
  affine.for %i = 0 to %n {
    "test.op"(%q, %p) : (!contract.panel<8, f64>, !contract.panel<4, f64>) -> ()
  }
  "test.op"() : () -> ()
  func.return
}

// Where the loop does not run, its sizes may be less than nothing.
// CHECK-LABEL: func.func @kept
// CHECK:         affine.min affine_map<(d0) -> ({{.*}}, 0)>
// CHECK:         memref.alloc(
// CHECK-NEXT:    affine.for %r
// CHECK-NEXT:      "test.op"
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc
func.func @kept(%n: index) {
  affine.for %r = 0 to 9 {
    %p = contract.panel across affine_map<()[n] -> (n, 512)> deep affine_map<()[n] -> (16)> with (%n) kept : !contract.panel<4, f64>
    "test.op"(%p) : (!contract.panel<4, f64>) -> ()
  }
  func.return
}
