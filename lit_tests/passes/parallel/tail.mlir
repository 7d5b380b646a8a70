// RUN: polyopt-opt %s -p 'affine-parallelize{threads=2 march=x86-64-v3}' | filecheck %s

// Rows below the diagonal block depend on that block only: they are shared out, the block is not. What
// only rows of the block do, and what is in it, is not among theirs, so that they all take equally long
// for whoever cuts them in parts.

// CHECK-LABEL: func.func @factor
// CHECK:       affine.for %i = affine_map<(d0) -> ((d0 + 1))>(%t) to min
// CHECK:         "affine.if"
// CHECK:         affine.for %i_2 = max affine_map<(d0)[s0] -> ((d0 + 64), s0)>(%t)[%first_1] to %last_1 {
// CHECK-NOT:       affine.if
// CHECK:         team.barrier
// CHECK:       {poly.loop = #poly.loop<serial, iterator = "t", tile>}
func.func @factor(%A: memref<2000x2000xf64>) {
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
