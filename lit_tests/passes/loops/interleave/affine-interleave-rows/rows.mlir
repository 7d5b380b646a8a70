// Loops over masked vectors that came from no vectoriser: rows share what is between them.
// RUN: polyopt-opt %s -p 'affine-interleave-rows{rows=2}' | filecheck %s

// One mask for rows that end at the same place; each value that is the same for both is there once.
func.func @rows(%n : index, %m : index, %A : memref<?x?xf32>, %S : memref<4xf32>, %B : memref<?x?xf32>) {
  affine.for %i = 0 to %n {
    %s = affine.load %S[2] : memref<4xf32>
    %f = vector.broadcast %s : f32 to vector<4xf32>
    affine.for %v = 3 to %m step 4 {
      %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%m]
      %mask = vector.create_mask %left : vector<4xi1>
      %x = pvec.read %A[%i, %v] masked %mask : memref<?x?xf32>, vector<4xf32>
      %y = pvec.read %A[%i + 1, %v] masked %mask : memref<?x?xf32>, vector<4xf32>
      %z = arith.addf %x, %y : vector<4xf32>
      %w = arith.mulf %z, %f : vector<4xf32>
      pvec.write %w, %B[%i, %v] masked %mask : memref<?x?xf32>, vector<4xf32>
    } {poly.loop = #poly.loop<interleave = 1>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @rows
// CHECK-NEXT:    affine.for %i = 0 to {{.*}}(%n) step 2 {
// CHECK-NEXT:      "affine.if"(%n, %i) <{condition = affine_set<(d0, d1) : (((d0 + (d1 * -1)) + -2) >= 0)>}> ({
// CHECK-NEXT:        %s = affine.load %S[2] : memref<4xf32>
// CHECK-NEXT:        %f = vector.broadcast %s : f32 to vector<4xf32>
// CHECK-NEXT:        affine.for %v = 3 to {{.*}}(%m) step 4 {
// CHECK:               [[MASK:%.*]] = vector.create_mask {{.*}} : vector<4xi1>
// CHECK-NEXT:          pvec.read %A[%i, %v] masked [[MASK]]
// CHECK-NEXT:          pvec.read %A[%i + 1, %v] masked [[MASK]]
// CHECK:               pvec.write {{.*}}, %B[%i, %v] masked [[MASK]]
// CHECK-NEXT:          pvec.read %A[%i + 1, %v] masked [[MASK]]
// CHECK-NEXT:          pvec.read %A[%i + 2, %v] masked [[MASK]]
// CHECK:               pvec.write {{.*}}, %B[%i + 1, %v] masked [[MASK]]
// CHECK-NEXT:        } {poly.loop = #poly.loop<interleave = 1>}
// CHECK:           }, {
// CHECK-NEXT:        affine.for %i_1 = {{.*}}(%i) to min {{.*}}(%n, %i) {

// Rows of a triangle have masks of their own in one loop, which runs as far as the longest of them;
// they run together only where none of them is empty.
func.func @triangle(%n : index, %A : memref<?x?xf32>, %B : memref<?x?xf32>) {
  affine.for %i = 1 to %n {
    "affine.if"(%i) <{condition = affine_set<(d0) : (d0 - 1 >= 0)>}> ({
      affine.for %v = 0 to affine_map<(d0) -> (d0)>(%i) step 4 {
        %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%i]
        %mask = vector.create_mask %left : vector<4xi1>
        %x = pvec.read %A[%i - 1, %v] masked %mask : memref<?x?xf32>, vector<4xf32>
        %y = pvec.read %A[%i, %v] masked %mask : memref<?x?xf32>, vector<4xf32>
        %z = arith.addf %x, %y : vector<4xf32>
        pvec.write %z, %B[%i, %v] masked %mask : memref<?x?xf32>, vector<4xf32>
      } {poly.loop = #poly.loop<interleave = 1>}
      affine.yield
    }, {
      affine.yield
    }) : (index) -> ()
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @triangle
// CHECK:         "affine.if"(%n, %i) <{condition = affine_set<(d0, d1) : (((d0 + (d1 * -1)) + -2) >= 0, (d1 + -1) >= 0, d1 >= 0)>}>
// CHECK:           [[LESS:%.*]] = affine.min affine_map<(d0) -> ((d0 * -1), ((d0 * -1) + -1))> (%i)
// CHECK-NEXT:      affine.for %v = 0 to affine_map<(d0) -> ((d0 * -1))>([[LESS]]) step 4 {
// CHECK:             [[M0:%.*]] = vector.create_mask {{.*}} : vector<4xi1>
// CHECK:             pvec.write {{.*}}, %B[%i, %v] masked [[M0]]
// CHECK:             [[M1:%.*]] = vector.create_mask {{.*}} : vector<4xi1>
// CHECK:             pvec.write {{.*}}, %B[%i + 1, %v] masked [[M1]]

// A loop to a quotient, as one over every second row is, goes to the value of it.
func.func @half_of_the_rows(%n : index, %m : index, %A : memref<?x?xf32>, %B : memref<?x?xf32>) {
  affine.for %i = 0 to affine_map<(d0) -> ((d0 + 1) floordiv 2)>(%n) {
    affine.for %v = 0 to %m step 4 {
      %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%m]
      %mask = vector.create_mask %left : vector<4xi1>
      %x = pvec.read %A[%i * 2, %v] masked %mask : memref<?x?xf32>, vector<4xf32>
      %z = arith.addf %x, %x : vector<4xf32>
      pvec.write %z, %B[%i, %v] masked %mask : memref<?x?xf32>, vector<4xf32>
    } {poly.loop = #poly.loop<interleave = 1>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @half_of_the_rows
// CHECK:         [[ROWS:%.*]] = affine.min affine_map<(d0) -> (((d0 + 1) floordiv 2))> (%n)
// CHECK:         affine.for %i = 0 to {{.*}}([[ROWS]]) step 2 {
// CHECK:           pvec.write {{.*}}, %B[%i + 1, %v]
