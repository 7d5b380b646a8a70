// RUN: polyopt-opt %s -p 'affine-parallelize{threads=2 march=x86-64-v3}' | filecheck %s

// All tiles are in one region: the diagonal block is one member's, columns behind it and rows below it
// are shared out, and members meet between these. The columns end with the rows of the block, though
// one more of them might be shared out: vectors begin where tiles do.

// CHECK-LABEL: func.func @lu
// CHECK:       "omp.parallel"(%threads)
// CHECK:       affine.for %t = 0 to 2000 step 64 {
// CHECK-NOT:     team.share
// CHECK:         affine.for %k_1 = affine_map<(d0) -> (d0)>(%i) to min affine_map<(d0) -> (2000, (d0 + 64))>(%t) {
// CHECK:         team.barrier
// CHECK:         %first, %last = team.share
// CHECK-NEXT:    affine.for %i_1 = affine_map<(d0) -> ((d0 + 1))>(%t) to min affine_map<(d0) -> (2000, (d0 + 64))>(%t) {
// CHECK-NEXT:      affine.for %j_1
// CHECK-NEXT:        "affine.if"
// CHECK-NEXT:          affine.for %k_2 = max affine_map<(d0)[s0] -> ((d0 + 64), s0)>(%t)[%first] to %last {
// CHECK:         team.barrier
// CHECK:         %first_1, %last_1 = team.share
// CHECK-NEXT:    affine.for %i_2 = max affine_map<(d0)[s0] -> ((d0 + 64), s0)>(%t)[%first_1] to %last_1 {
// CHECK:         team.barrier
// CHECK-NEXT:  } {poly.loop = #poly.loop<serial, iterator = "t", tile>}
func.func @lu(%A: memref<2000x2000xf64>) {
  affine.for %t = 0 to 2000 step 64 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%t) to 2000 {
      affine.for %j = affine_map<(d0) -> (d0)>(%t) to min affine_map<(d0, d1) -> (d0 + 64, d1)>(%t, %i) {
        %d = affine.load %A[%j, %j] : memref<2000x2000xf64>
        %x = affine.load %A[%i, %j] : memref<2000x2000xf64>
        %q = arith.divf %x, %d : f64
        affine.store %q, %A[%i, %j] : memref<2000x2000xf64>
        affine.for %k = affine_map<(d0) -> (d0 + 1)>(%j) to min affine_map<(d0, d1) -> (d0 + 64, d1)>(%t, %i) {
          %l = affine.load %A[%i, %j] : memref<2000x2000xf64>
          %u = affine.load %A[%j, %k] : memref<2000x2000xf64>
          %p = arith.mulf %l, %u : f64
          %a = affine.load %A[%i, %k] : memref<2000x2000xf64>
          %r = arith.subf %a, %p : f64
          affine.store %r, %A[%i, %k] : memref<2000x2000xf64>
        } {poly.loop = #poly.loop<parallel, iterator = "k">}
        "affine.if"(%t, %i) <{condition = affine_set<(d0, d1) : (d0 - d1 + 63 >= 0)>}> ({
          affine.for %k = affine_map<(d0) -> (d0)>(%i) to 2000 {
            %l = affine.load %A[%i, %j] : memref<2000x2000xf64>
            %u = affine.load %A[%j, %k] : memref<2000x2000xf64>
            %p = arith.mulf %l, %u : f64
            %a = affine.load %A[%i, %k] : memref<2000x2000xf64>
            %r = arith.subf %a, %p : f64
            "affine.if"(%t, %i) <{condition = affine_set<(d0, d1) : (d0 - d1 + 62 >= 0)>}> ({
              affine.store %r, %A[%i, %k] : memref<2000x2000xf64>
              affine.yield
            }, {
            }) : (index, index) -> ()
          } {poly.loop = #poly.loop<parallel, iterator = "k">}
          affine.yield
        }, {
        }) : (index, index) -> ()
      } {poly.loop = #poly.loop<serial, iterator = "j">}
    } {poly.loop = #poly.loop<pipeline, iterator = "i">}
  } {poly.loop = #poly.loop<serial, iterator = "t", tile>}
  func.return
}

// Where rows of the block read columns behind it, these stay with the block.

// CHECK-LABEL: func.func @reads_behind
// CHECK:       "omp.parallel"(%threads)
// CHECK:       affine.for %t = 0 to 2000 step 64 {
// CHECK-NOT:     team.share
// CHECK:         affine.for %k = affine_map<(d0) -> ((d0 + 64))>(%t) to 2000 {
// CHECK:         team.barrier
// CHECK:         %first, %last = team.share
// CHECK-NEXT:    affine.for %i_1 = max affine_map<(d0)[s0] -> ((d0 + 64), s0)>(%t)[%first] to %last {
// CHECK:         team.barrier
// CHECK-NEXT:  } {poly.loop = #poly.loop<serial, iterator = "t", tile>}
func.func @reads_behind(%A: memref<2000x2000xf64>) {
  affine.for %t = 0 to 2000 step 64 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%t) to 2000 {
      affine.for %j = affine_map<(d0) -> (d0)>(%t) to min affine_map<(d0, d1) -> (d0 + 64, d1)>(%t, %i) {
        %d = affine.load %A[%j, 1999 - %j] : memref<2000x2000xf64>
        %x = affine.load %A[%i, %j] : memref<2000x2000xf64>
        %q = arith.divf %x, %d : f64
        affine.store %q, %A[%i, %j] : memref<2000x2000xf64>
        "affine.if"(%t, %i) <{condition = affine_set<(d0, d1) : (d0 - d1 + 63 >= 0)>}> ({
          affine.for %k = affine_map<(d0) -> (d0 + 64)>(%t) to 2000 {
            %u = affine.load %A[%j, %k] : memref<2000x2000xf64>
            %a = affine.load %A[%i, %k] : memref<2000x2000xf64>
            %r = arith.subf %a, %u : f64
            affine.store %r, %A[%i, %k] : memref<2000x2000xf64>
          } {poly.loop = #poly.loop<parallel, iterator = "k">}
          affine.yield
        }, {
        }) : (index, index) -> ()
        affine.for %k = affine_map<(d0) -> (d0 + 1)>(%j) to min affine_map<(d0, d1) -> (d0 + 64, d1)>(%t, %i) {
          %u = affine.load %A[%j, %k] : memref<2000x2000xf64>
          %a = affine.load %A[%i, %k] : memref<2000x2000xf64>
          %r = arith.subf %a, %u : f64
          affine.store %r, %A[%i, %k] : memref<2000x2000xf64>
        } {poly.loop = #poly.loop<parallel, iterator = "k">}
      } {poly.loop = #poly.loop<serial, iterator = "j">}
    } {poly.loop = #poly.loop<pipeline, iterator = "i">}
  } {poly.loop = #poly.loop<serial, iterator = "t", tile>}
  func.return
}
