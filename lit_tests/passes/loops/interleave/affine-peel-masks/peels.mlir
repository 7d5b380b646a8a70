// Whole vectors have no masks: a mask is left at the end, and in front where rows begin apart.
// RUN: polyopt-opt %s -p 'affine-peel-masks{march="x86-64-v3"}' | filecheck %s

// What depends on the mask goes with it: a selection, and the lanes of a condition.
func.func @one(%n : index, %A : memref<?x8xf32>, %B : memref<?x?xf32>, %x : vector<4xf32>) {
  affine.for %v = 0 to %n step 4 {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %mask = vector.create_mask %left : vector<4xi1>
    %y = pvec.read %B[7, %v + 1] masked %mask : memref<?x?xf32>, vector<4xf32>
    %less = pvec.cmpf "olt", %x, %y : vector<4xf32> -> vector<4xi1>
    %both = arith.andi %mask, %less : vector<4xi1>
    %z = pvec.select %mask, %y, %x : vector<4xi1>, vector<4xf32>
    pvec.write %z, %A[%v, 3] by [1, 0] masked %both : memref<?x8xf32>, vector<4xf32>
  } {poly.loop = #poly.loop<interleave = 1>}
  func.return
}

// CHECK-LABEL: func.func @one
// CHECK:         affine.for %v = 0 to
// CHECK-NEXT:      [[Y:%.*]] = pvec.read %B[7, %v + 1] : memref<?x?xf32>, vector<4xf32>
// CHECK-NEXT:      [[LESS:%.*]] = pvec.cmpf "olt", %x, [[Y]]
// CHECK-NEXT:      pvec.write [[Y]], %A[%v, 3] by [1, 0] masked [[LESS]]
// Short steps of a row of unknown length, of which LLVM takes four in one.
// CHECK-NEXT:    } {poly.loop = #poly.loop<unroll_by_4>}
// CHECK-NEXT:    affine.for %v_1 = {{.*}} to {{.*}} step 4 {
// CHECK:           vector.create_mask
// CHECK:           arith.andi
// CHECK:           pvec.select
// CHECK:         } {poly.loop = #poly.loop<no_unroll>}

// Rows that begin and end at different places: only what both have is whole.
func.func @two(%a : index, %b : index, %c : index, %d : index, %A : memref<2x?xf32>, %x : vector<4xf32>) {
  %low = affine.min affine_map<(d0, d1) -> (d0, d1)> (%a, %b)
  %high = affine.min affine_map<(d0, d1) -> (-d0, -d1)> (%c, %d)
  affine.for %v = affine_map<(d0) -> (d0)>(%low) to affine_map<(d0) -> (-d0)>(%high) step 4 {
    %a0 = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%a]
    %c0 = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%c]
    %m0 = pvec.range_mask %a0 to %c0 : vector<4xi1>
    pvec.write %x, %A[0, %v] masked %m0 : memref<2x?xf32>, vector<4xf32>
    %b0 = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%b]
    %d0 = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%d]
    %m1 = pvec.range_mask %b0 to %d0 : vector<4xi1>
    pvec.write %x, %A[1, %v] masked %m1 : memref<2x?xf32>, vector<4xf32>
  } {poly.loop = #poly.loop<interleave = 1>}
  func.return
}

// CHECK-LABEL: func.func @two
// CHECK:         affine.for %v = {{.*}}(%low) to
// CHECK:           pvec.write %x, %A[0, %v] masked
// CHECK:           pvec.write %x, %A[1, %v] masked
// CHECK:         affine.for %v_1 =
// CHECK-NEXT:      pvec.write %x, %A[0, %v_1] : memref<2x?xf32>, vector<4xf32>
// CHECK-NEXT:      pvec.write %x, %A[1, %v_1] : memref<2x?xf32>, vector<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    affine.for %v_2 =
// CHECK:           vector.create_mask
// CHECK:           pvec.write %x, %A[0, %v_2] masked
// CHECK:           pvec.write %x, %A[1, %v_2] masked

// Two vectors of a step add up apart, from nothing, and come together behind the loops.
func.func @sum(%n : index, %A : memref<?xf32>, %x : vector<4xf32>) -> vector<4xf32> {
  %sum = affine.for %v = 0 to %n step 4 iter_args(%s = %x) -> (vector<4xf32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %mask = vector.create_mask %left : vector<4xi1>
    %y = pvec.read %A[%v] masked %mask : memref<?xf32>, vector<4xf32>
    %t = arith.addf %s, %y fastmath<reassoc> : vector<4xf32>
    %u = pvec.select %mask, %t, %s : vector<4xi1>, vector<4xf32>
    affine.yield %u : vector<4xf32>
  } {poly.loop = #poly.loop<interleave = 2>}
  func.return %sum : vector<4xf32>
}

// CHECK-LABEL: func.func @sum
// CHECK:         [[NIL:%.*]] = arith.constant -0.000000e+00 : f32
// CHECK-NEXT:    [[NILS:%.*]] = vector.broadcast [[NIL]] : f32 to vector<4xf32>
// CHECK:         [[PAIR:%.*]], [[OTHER:%.*]] = affine.for {{.*}} step 8 iter_args([[S:%.*]] = %x, [[T:%.*]] = [[NILS]])
// CHECK:           pvec.read %A[%v] :
// CHECK:           pvec.read %A[%v + 4] :
// CHECK:         [[ONE:%.*]] = affine.for {{.*}} step 4 iter_args({{.*}} = [[PAIR]])
// CHECK:         [[LAST:%.*]] = affine.for {{.*}} step 4 iter_args({{.*}} = [[ONE]])
// CHECK:         [[SUM:%.*]] = arith.addf [[LAST]], [[OTHER]] fastmath<reassoc>
// CHECK-NEXT:    func.return [[SUM]]

// Rows of at most 11 elements have two whole vectors: no step takes more of them.
func.func @short_sum(%n : index, %A : memref<11xf32>, %x : vector<4xf32>) -> vector<4xf32> {
  %sum = affine.for %v = 0 to %n step 4 iter_args(%s = %x) -> (vector<4xf32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %mask = vector.create_mask %left : vector<4xi1>
    %y = pvec.read %A[%v] masked %mask : memref<11xf32>, vector<4xf32>
    %t = arith.addf %s, %y fastmath<reassoc> : vector<4xf32>
    %u = pvec.select %mask, %t, %s : vector<4xi1>, vector<4xf32>
    affine.yield %u : vector<4xf32>
  } {poly.loop = #poly.loop<interleave = 4>}
  func.return %sum : vector<4xf32>
}

// CHECK-LABEL: func.func @short_sum
// CHECK:         affine.for {{.*}} step 8 iter_args({{.*}}, {{.*}})
// CHECK:           pvec.read %A[%v] :
// CHECK:           pvec.read %A[%v + 4] :
// CHECK:         } {poly.loop = #poly.loop<at_most = 1>}
// CHECK:         affine.for {{.*}} step 4 iter_args

// Vectors of a line, and rows of unknown length: stores are aligned when the loop runs, with what
// is read beside them in many rows.
func.func @lines(%n : index, %i : index, %A : memref<?x?xf64>, %B : memref<?x?xf64>) {
  affine.for %v = 2 to %n step 8 {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %mask = vector.create_mask %left : vector<8xi1>
    %a = pvec.read %A[%i, %v] masked %mask : memref<?x?xf64>, vector<8xf64>
    %b = pvec.read %A[%i + 1, %v] masked %mask : memref<?x?xf64>, vector<8xf64>
    %c = pvec.read %A[%i + 2, %v] masked %mask : memref<?x?xf64>, vector<8xf64>
    %d = pvec.read %A[%i + 3, %v] masked %mask : memref<?x?xf64>, vector<8xf64>
    %x = arith.addf %a, %b : vector<8xf64>
    %y = arith.addf %c, %d : vector<8xf64>
    %z = arith.addf %x, %y : vector<8xf64>
    pvec.write %z, %B[%i, %v] masked %mask : memref<?x?xf64>, vector<8xf64>
  } {poly.loop = #poly.loop<interleave = 1>}
  func.return
}

// CHECK-LABEL: func.func @lines
// CHECK:         [[BEHIND:%.*]] = pvec.misalignment %B[%i, {{.*}}] of 8
// CHECK:         vector.create_mask
// CHECK:         pvec.write {{.*}}, %B[%i, %v] masked
// CHECK:         pvec.write {{.*}}, %B[%i, %v_1] : memref<?x?xf64>, vector<8xf64>
// CHECK:         pvec.write {{.*}}, %B[%i, %v_2] masked

// One read and one write do not pay for a vector more in each row.
func.func @few(%n : index, %i : index, %A : memref<?x?xf64>, %B : memref<?x?xf64>) {
  affine.for %v = 2 to %n step 8 {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %mask = vector.create_mask %left : vector<8xi1>
    %a = pvec.read %A[%i, %v] masked %mask : memref<?x?xf64>, vector<8xf64>
    %z = arith.addf %a, %a : vector<8xf64>
    pvec.write %z, %B[%i, %v] masked %mask : memref<?x?xf64>, vector<8xf64>
  } {poly.loop = #poly.loop<interleave = 1>}
  func.return
}

// CHECK-LABEL: func.func @few
// CHECK-NOT:     pvec.misalignment
// CHECK:         func.return

// Where several are wanted in a step that does little, it waits for its stores: these are aligned,
// and LLVM makes four of each.
func.func @thin(%n : index, %A : memref<?xf64>, %B : memref<?xf64>) {
  affine.for %v = 0 to %n step 8 {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %mask = vector.create_mask %left : vector<8xi1>
    %a = pvec.read %A[%v] masked %mask : memref<?xf64>, vector<8xf64>
    pvec.write %a, %B[%v] masked %mask : memref<?xf64>, vector<8xf64>
  } {poly.loop = #poly.loop<interleave = 4>}
  func.return
}

// CHECK-LABEL: func.func @thin
// CHECK:         pvec.misalignment %B[{{.*}}] of 8
// CHECK:         pvec.write {{.*}}, %B[%v] masked
// CHECK:         pvec.write {{.*}}, %B[%v_1] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:    } {poly.loop = #poly.loop<unroll_by_4>}
// CHECK:         pvec.write {{.*}}, %B[%v_2] masked

// Of a row of at most forty elements, wherever it begins, it is told how many vectors there are;
// for five of them stores are not aligned.
func.func @short_rows(%n : index, %i : index, %A : memref<?x?xf64>, %B : memref<?x?xf64>) {
  %high = affine.min affine_map<(d0) -> (d0 + 40, 999)> (%n)
  affine.for %v = affine_map<(d0) -> (d0)>(%n) to affine_map<(d0) -> (d0)>(%high) step 8 {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%high]
    %mask = vector.create_mask %left : vector<8xi1>
    %a = pvec.read %A[%i, %v] masked %mask : memref<?x?xf64>, vector<8xf64>
    %b = pvec.read %A[%i + 1, %v] masked %mask : memref<?x?xf64>, vector<8xf64>
    %c = pvec.read %A[%i + 2, %v] masked %mask : memref<?x?xf64>, vector<8xf64>
    %d = pvec.read %A[%i + 3, %v] masked %mask : memref<?x?xf64>, vector<8xf64>
    %x = arith.addf %a, %b : vector<8xf64>
    %y = arith.addf %c, %d : vector<8xf64>
    %z = arith.addf %x, %y : vector<8xf64>
    pvec.write %z, %B[%i, %v] masked %mask : memref<?x?xf64>, vector<8xf64>
  } {poly.loop = #poly.loop<interleave = 1>}
  func.return
}

// CHECK-LABEL: func.func @short_rows
// CHECK-NOT:     pvec.misalignment
// CHECK:         } {poly.loop = #poly.loop<at_most = 5>}

// Rows are no longer than those of an array.
func.func @declared(%n : index, %i : index, %A : memref<40x44xf64>, %B : memref<40x44xf64>) {
  affine.for %v = 2 to %n step 8 {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %mask = vector.create_mask %left : vector<8xi1>
    %a = pvec.read %A[%i, %v] masked %mask : memref<40x44xf64>, vector<8xf64>
    %b = pvec.read %A[%i + 1, %v] masked %mask : memref<40x44xf64>, vector<8xf64>
    %c = pvec.read %A[%i + 2, %v] masked %mask : memref<40x44xf64>, vector<8xf64>
    %x = arith.addf %a, %b : vector<8xf64>
    %z = arith.addf %x, %c : vector<8xf64>
    pvec.write %z, %B[%i, %v] masked %mask : memref<40x44xf64>, vector<8xf64>
  } {poly.loop = #poly.loop<interleave = 1>}
  func.return
}

// CHECK-LABEL: func.func @declared
// CHECK-NOT:     pvec.misalignment
// CHECK:         } {poly.loop = #poly.loop<at_most = 5>}
