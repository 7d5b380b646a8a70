// At the edges: a loop without iterations, vectors of one lane, and a triangle, whose rows are
// split where each of them ends.
// RUN: polyopt-opt %s -p 'affine-peel-masks{march="x86-64-v3"}' | filecheck %s

// Nothing is left to be masked.
func.func @empty(%A : memref<?xf32>, %x : vector<4xf32>) {
  %n = arith.constant 0 : index
  affine.for %v = 0 to 0 step 4 {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %mask = vector.create_mask %left : vector<4xi1>
    pvec.write %x, %A[%v] masked %mask : memref<?xf32>, vector<4xf32>
  } {poly.loop = #poly.loop<interleave = 1>}
  func.return
}

// CHECK-LABEL: @empty(
// CHECK-NEXT:    %n = arith.constant 0 : index
// CHECK-NEXT:    %first = arith.constant 0 : index
// CHECK-NEXT:    %start = arith.constant 0 : index
// CHECK-NEXT:    %whole = arith.constant 0 : index
// CHECK-NEXT:    %end = arith.constant 0 : index
// CHECK-NEXT:    affine.for %v = 0 to 0 step 4 {
// CHECK-NEXT:      pvec.write %x, %A[%v] : memref<?xf32>, vector<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// Every vector is whole: what is behind them is empty.
func.func @one_lane(%n : index, %A : memref<?xf32>, %x : vector<1xf32>) {
  affine.for %v = 0 to %n {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %mask = vector.create_mask %left : vector<1xi1>
    pvec.write %x, %A[%v] masked %mask : memref<?xf32>, vector<1xf32>
  } {poly.loop = #poly.loop<interleave = 1>}
  func.return
}

// CHECK-LABEL: @one_lane(
// CHECK-NEXT:    %first = arith.constant 0 : index
// CHECK-NEXT:    %start = arith.constant 0 : index
// CHECK-NEXT:    [[V0:%\d+]] = affine.min affine_map<(d0) -> ((d0 * -1), 0)> (%n)
// CHECK-NEXT:    %whole = affine.apply affine_map<(d0) -> ((d0 * -1))> ([[V0]])
// CHECK-NEXT:    %end = affine.apply affine_map<(d0) -> ((d0 * -1))> ([[V0]])
// CHECK-NEXT:    affine.for %v = 0 to affine_map<(d0) -> ((d0 * -1))>([[V0]]) {
// CHECK-NEXT:      pvec.write %x, %A[%v] : memref<?xf32>, vector<1xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// Of row i, i floordiv 4 vectors are whole.
func.func @inner(%n : index, %A : memref<?x?xf32>, %x : vector<4xf32>) {
  affine.for %i = 0 to %n {
    affine.for %v = 0 to %i step 4 {
      %left = affine.apply affine_map<(d0, d1) -> (d1 - d0)> (%v, %i)
      %mask = vector.create_mask %left : vector<4xi1>
      pvec.write %x, %A[%i, %v] masked %mask : memref<?x?xf32>, vector<4xf32>
    } {poly.loop = #poly.loop<interleave = 1>}
  }
  func.return
}

// CHECK-LABEL: @inner(
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      [[V0:%\d+]] = affine.min affine_map<(d0) -> ((d0 * -1), 0)> (%i)
// CHECK-NEXT:      %whole = affine.apply affine_map<(d0) -> (((d0 * -1) floordiv 4))> ([[V0]])
// CHECK-NEXT:      %end = affine.apply affine_map<(d0) -> ((d0 * 4))> (%whole)
// CHECK-NEXT:      affine.for %v = 0 to affine_map<(d0) -> ((d0 * 4))>(%whole) step 4 {
// CHECK-NEXT:        pvec.write %x, %A[%i, %v] : memref<?x?xf32>, vector<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      affine.for %v_1 = affine_map<(d0) -> ((d0 * 4))>(%whole) to affine_map<(d0) -> ((d0 * -1))>([[V0]]) step 4 {
// CHECK-NEXT:        [[V1:%\d+]] = affine.apply affine_map<(d0, d1) -> (((d0 * -1) + (d1 * -1)))> ([[V0]], %v_1)
// CHECK-NEXT:        [[V2:%\d+]] = vector.create_mask [[V1]] : vector<4xi1>
// CHECK-NEXT:        pvec.write %x, %A[%i, %v_1] masked [[V2]] : memref<?x?xf32>, vector<4xf32>
// CHECK-NEXT:      } {poly.loop = #poly.loop<no_unroll>}
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
