// What four vectors of a step have added up comes together two and two, and the first of them last, which
// has gone on with what was left of the row; LLVM may not change this order: it would make one chain of all.
// RUN: polyopt-opt %s -p 'affine-peel-masks{march="x86-64-v3"}' | filecheck %s
builtin.module attributes {polyopt.fastmath = #arith.fastmath<fast>} {
  func.func @sum(%n: index, %x: memref<?xf32>) -> f32 {
    %o = arith.constant 0.0 : f32
    %z = vector.broadcast %o : f32 to vector<16xf32>
    %r = affine.for %v = 0 to %n step 16 iter_args(%s = %z) -> (vector<16xf32>) {
      %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
      %m = vector.create_mask %left : vector<16xi1>
      %a = pvec.read %x[%v] masked %m : memref<?xf32>, vector<16xf32>
      %t = arith.addf %s, %a : vector<16xf32>
      %u = pvec.select %m, %t, %s : vector<16xi1>, vector<16xf32>
      affine.yield %u : vector<16xf32>
    } {poly.loop = #poly.loop<interleave = 4>}
    %y = vector.reduction <add>, %r : vector<16xf32> into f32
    func.return %y : f32
  }
}

// CHECK-LABEL: func.func @sum(
// CHECK:         [[STEPS:%.*]], [[B:%.*]], [[C:%.*]], [[D:%.*]] = affine.for
// CHECK:         [[A:%.*]] = affine.for {{.*}} iter_args({{%.*}} = [[STEPS]])
// CHECK:         [[E:%.*]] = affine.for {{.*}} iter_args({{%.*}} = [[A]])
// CHECK:         [[BC:%.*]] = arith.addf [[B]], [[C]] {poly.rounding = #poly.rounding<in_order>}
// CHECK-NEXT:    [[BCD:%.*]] = arith.addf [[BC]], [[D]] {poly.rounding = #poly.rounding<in_order>}
// CHECK-NEXT:    arith.addf [[E]], [[BCD]] {poly.rounding = #poly.rounding<in_order>}
