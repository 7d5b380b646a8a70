// At the edges: loops of no and of one iteration, a range that begins inside of a group, the longest
// step, and two steps whose least common multiple is longer.
// RUN: polyopt-opt %s -p 'affine-split-residues' | filecheck %s

// Nothing runs: the pieces are empty, too.
func.func @empty(%A : memref<?xf32>, %B : memref<?xf32>) {
  affine.for %x = 4 to 4 {
    %a = affine.load %A[%x floordiv 2] : memref<?xf32>
    affine.store %a, %B[%x] : memref<?xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @empty(
// CHECK-NEXT:    affine.for %x = 2 to 2 {
// CHECK-NEXT:      [[V0:%\d+]] = affine.load %A[%x] : memref<?xf32>
// CHECK-NEXT:      affine.store [[V0]], %B[%x * 2] : memref<?xf32>
// CHECK-NEXT:      [[V1:%\d+]] = affine.load %A[%x] : memref<?xf32>
// CHECK-NEXT:      affine.store [[V1]], %B[%x * 2 + 1] : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// No group is whole: the iteration that is left is 0.
func.func @one(%A : memref<?xf32>, %B : memref<?xf32>) {
  affine.for %x = 0 to 1 {
    %a = affine.load %A[%x floordiv 2] : memref<?xf32>
    affine.store %a, %B[%x] : memref<?xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @one(
// CHECK-NEXT:    affine.for %x = 0 to 0 {
// CHECK-NEXT:      [[V0:%\d+]] = affine.load %A[%x] : memref<?xf32>
// CHECK-NEXT:      affine.store [[V0]], %B[%x * 2] : memref<?xf32>
// CHECK-NEXT:      [[V1:%\d+]] = affine.load %A[%x] : memref<?xf32>
// CHECK-NEXT:      affine.store [[V1]], %B[%x * 2 + 1] : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    affine.for %x_1 = 0 to 1 {
// CHECK-NEXT:      [[V2:%\d+]] = affine.apply affine_map<(d0) -> ((d0 floordiv 2))> (%x_1)
// CHECK-NEXT:      [[V3:%\d+]] = affine.load %A[[[V2]]] : memref<?xf32>
// CHECK-NEXT:      affine.store [[V3]], %B[%x_1] : memref<?xf32>
// CHECK-NEXT:    } {poly.loop = #poly.loop<no_unroll>}
// CHECK-NEXT:    func.return

// Iteration 3 stands before the groups from 4 on, which are 2 and more of A; where n is 2 nothing runs.
func.func @odd_start(%n : index, %A : memref<?xf32>, %B : memref<?xf32>) {
  affine.for %x = 3 to %n {
    %a = affine.load %A[%x floordiv 2] : memref<?xf32>
    affine.store %a, %B[%x] : memref<?xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @odd_start(
// CHECK-NEXT:    [[V0:%\d+]] = affine.apply affine_map<(d0) -> ((d0 floordiv 2))> (%n)
// CHECK-NEXT:    [[V1:%\d+]] = affine.min affine_map<(d0) -> (d0, 4)> (%n)
// CHECK-NEXT:    affine.for %x = 3 to affine_map<(d0) -> (d0)>([[V1]]) {
// CHECK-NEXT:      [[V2:%\d+]] = affine.apply affine_map<(d0) -> ((d0 floordiv 2))> (%x)
// CHECK-NEXT:      [[V3:%\d+]] = affine.load %A[[[V2]]] : memref<?xf32>
// CHECK-NEXT:      affine.store [[V3]], %B[%x] : memref<?xf32>
// CHECK-NEXT:    } {poly.loop = #poly.loop<no_unroll>}
// CHECK-NEXT:    affine.for %x_1 = 2 to affine_map<(d0) -> (d0)>([[V0]]) {
// CHECK-NEXT:      [[V4:%\d+]] = affine.load %A[%x_1] : memref<?xf32>
// CHECK-NEXT:      affine.store [[V4]], %B[%x_1 * 2] : memref<?xf32>
// CHECK-NEXT:      [[V5:%\d+]] = affine.load %A[%x_1] : memref<?xf32>
// CHECK-NEXT:      affine.store [[V5]], %B[%x_1 * 2 + 1] : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    [[V6:%\d+]] = affine.min affine_map<(d0) -> ((d0 * -2), -4)> ([[V0]])
// CHECK-NEXT:    affine.for %x_2 = affine_map<(d0) -> ((d0 * -1))>([[V6]]) to affine_map<(d0) -> (d0)>(%n) {
// CHECK-NEXT:      [[V7:%\d+]] = affine.apply affine_map<(d0) -> ((d0 floordiv 2))> (%x_2)
// CHECK-NEXT:      [[V8:%\d+]] = affine.load %A[[[V7]]] : memref<?xf32>
// CHECK-NEXT:      affine.store [[V8]], %B[%x_2] : memref<?xf32>
// CHECK-NEXT:    } {poly.loop = #poly.loop<no_unroll>}
// CHECK-NEXT:    func.return

// Four copies, each of the same element of A.
func.func @limit(%n : index, %A : memref<?xf32>, %B : memref<?xf32>) {
  affine.for %x = 0 to %n {
    %a = affine.load %A[%x floordiv 4] : memref<?xf32>
    affine.store %a, %B[%x] : memref<?xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @limit(
// CHECK-NEXT:    [[V0:%\d+]] = affine.apply affine_map<(d0) -> ((d0 floordiv 4))> (%n)
// CHECK-NEXT:    affine.for %x = 0 to affine_map<(d0) -> (d0)>([[V0]]) {
// CHECK-NEXT:      [[V1:%\d+]] = affine.load %A[%x] : memref<?xf32>
// CHECK-NEXT:      affine.store [[V1]], %B[%x * 4] : memref<?xf32>
// CHECK-NEXT:      [[V2:%\d+]] = affine.load %A[%x] : memref<?xf32>
// CHECK-NEXT:      affine.store [[V2]], %B[%x * 4 + 1] : memref<?xf32>
// CHECK-NEXT:      [[V3:%\d+]] = affine.load %A[%x] : memref<?xf32>
// CHECK-NEXT:      affine.store [[V3]], %B[%x * 4 + 2] : memref<?xf32>
// CHECK-NEXT:      [[V4:%\d+]] = affine.load %A[%x] : memref<?xf32>
// CHECK-NEXT:      affine.store [[V4]], %B[%x * 4 + 3] : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    [[V5:%\d+]] = affine.min affine_map<(d0) -> ((d0 * -4), 0)> ([[V0]])
// CHECK-NEXT:    affine.for %x_1 = affine_map<(d0) -> ((d0 * -1))>([[V5]]) to affine_map<(d0) -> (d0)>(%n) {
// CHECK-NEXT:      [[V6:%\d+]] = affine.apply affine_map<(d0) -> ((d0 floordiv 4))> (%x_1)
// CHECK-NEXT:      [[V7:%\d+]] = affine.load %A[[[V6]]] : memref<?xf32>
// CHECK-NEXT:      affine.store [[V7]], %B[%x_1] : memref<?xf32>
// CHECK-NEXT:    } {poly.loop = #poly.loop<no_unroll>}
// CHECK-NEXT:    func.return

// Six copies would be too many.
func.func @twos_and_threes(%n : index, %A : memref<?xf32>, %B : memref<?xf32>) {
  affine.for %x = 0 to %n {
    %a = affine.load %A[%x floordiv 2] : memref<?xf32>
    %b = affine.load %A[%x floordiv 3] : memref<?xf32>
    %c = arith.addf %a, %b : f32
    affine.store %c, %B[%x] : memref<?xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @twos_and_threes(
// CHECK-NEXT:    affine.for %x = 0 to %n {
// CHECK-NEXT:      %a = affine.load %A[%x floordiv 2] : memref<?xf32>
// CHECK-NEXT:      %b = affine.load %A[%x floordiv 3] : memref<?xf32>
// CHECK-NEXT:      %c = arith.addf %a, %b : f32
// CHECK-NEXT:      affine.store %c, %B[%x] : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
