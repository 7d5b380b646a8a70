// Bytes and shorts have no masks without AVX-512. What whole vectors leave of a row that fills one is
// a whole vector, too, which goes over iterations that have run.
// RUN: polyopt-opt %s -p 'affine-peel-masks{march=x86-64-v3}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-peel-masks{march=x86-64-v4}' | filecheck %s --check-prefix=WIDE

func.func @once(%n : index, %A : memref<?xi8> {llvm.noalias}, %B : memref<?xi8> {llvm.noalias}, %s : i8) {
  %y = vector.broadcast %s : i8 to vector<32xi8>
  affine.for %v = 0 to %n step 32 {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %mask = vector.create_mask %left : vector<32xi1>
    %a = pvec.read %A[%v] masked %mask : memref<?xi8>, vector<32xi8>
    %b = arith.addi %a, %y : vector<32xi8>
    pvec.write %b, %B[%v] masked %mask : memref<?xi8>, vector<32xi8>
  } {poly.loop = #poly.loop<interleave = 1>}
  func.return
}

// CHECK-LABEL: func.func @once
// CHECK-NOT:     masked
// CHECK:         affine_set<(d0) : ((d0 + -32) >= 0)>
// CHECK:           affine.for %v = 0 to {{.*}} step 32 {
// CHECK:             pvec.write {{.*}} : memref<?xi8>, vector<32xi8>
// CHECK:           "affine.if"
// CHECK-NEXT:        [[LAST:%.*]] = pvec.read %A[%n + -32] : memref<?xi8>, vector<32xi8>
// CHECK:             pvec.write {{.*}}, %B[%n + -32] : memref<?xi8>, vector<32xi8>
// Rows that fill none go in half the lanes, then a quarter, then one.
// CHECK:           pvec.write {{.*}} : memref<?xi8>, vector<16xi8>
// CHECK:           pvec.write {{.*}} : memref<?xi8>, vector<1xi8>
// CHECK:         func.return

// WIDE-LABEL:  func.func @once
// WIDE:          pvec.write {{.*}} masked
// WIDE-NOT:      vector<1xi8>

// What is changed in place may not run twice: it has ever fewer lanes at the end.

func.func @in_place(%n : index, %A : memref<?xi8>, %s : i8) {
  %y = vector.broadcast %s : i8 to vector<32xi8>
  affine.for %v = 0 to %n step 32 {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %mask = vector.create_mask %left : vector<32xi1>
    %a = pvec.read %A[%v] masked %mask : memref<?xi8>, vector<32xi8>
    %b = arith.addi %a, %y : vector<32xi8>
    pvec.write %b, %A[%v] masked %mask : memref<?xi8>, vector<32xi8>
  } {poly.loop = #poly.loop<interleave = 1>}
  func.return
}

// CHECK-LABEL: func.func @in_place
// CHECK-NOT:     %n + -32]
// CHECK-NOT:     masked
// CHECK:         func.return

// Of a sum the last vector adds the lanes that are left.

func.func @sum(%n : index, %A : memref<?xi16>, %s : memref<i32>) {
  %zero = arith.constant dense<0> : vector<8xi32>
  %sum = affine.for %v = 0 to %n step 8 iter_args(%old = %zero) -> (vector<8xi32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %mask = vector.create_mask %left : vector<8xi1>
    %a = pvec.read %A[%v] masked %mask : memref<?xi16>, vector<8xi16>
    %b = pvec.convert "extsi", %a : vector<8xi16> -> vector<8xi32>
    %c = arith.addi %old, %b : vector<8xi32>
    %new = pvec.select %mask, %c, %old : vector<8xi1>, vector<8xi32>
    affine.yield %new : vector<8xi32>
  } {poly.loop = #poly.loop<interleave = 1>}
  %all = vector.reduction <add>, %sum : vector<8xi32> into i32
  affine.store %all, %s[] : memref<i32>
  func.return
}

// CHECK-LABEL: func.func @sum
// CHECK:         [[ALL:%.*]] = affine.for %v = 0 to
// CHECK:         "affine.if"
// CHECK:           [[LEFT:%.*]] = pvec.range_mask
// CHECK-NEXT:      pvec.read %A[%n + -8] : memref<?xi16>, vector<8xi16>
// CHECK:           pvec.select [[LEFT]]
