// Where lanes begin and end one after the other, the sum of each stays in a register from the first one's
// beginning to the last one's end, if there is a time when all of them run; lanes that do not run keep
// what they have.
// RUN: polyopt-opt %s -p 'affine-lanes{march="x86-64-v3" vectors=1 force=true}' | filecheck %s

func.func @moving(%n : index, %k : index, %x : memref<?xf64> {llvm.noalias}, %h : memref<?xf64> {llvm.noalias},
                  %y : memref<?xf64> {llvm.noalias}) {
  affine.for %t = 0 to %n {
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to affine_map<(d0)[s0] -> (d0 + s0)>(%t)[%k] {
      %a = affine.load %x[%i] : memref<?xf64>
      %b = affine.load %h[%i - %t] : memref<?xf64>
      %p = arith.mulf %a, %b : f64
      %s = affine.load %y[%t] : memref<?xf64>
      %u = arith.addf %s, %p : f64
      affine.store %u, %y[%t] : memref<?xf64>
    }
  } {poly.loop = #poly.loop<parallel, iterator = "t">}
  func.return
}

// CHECK-LABEL: func.func @moving(
// CHECK:         "affine.if"(%stop, %0)
// CHECK-NEXT:      [[Y:%\d+]] = pvec.read %y[%t] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:      [[BEGUN:%\d+]] = affine.for %time = {{.*}}(%early) to {{.*}} iter_args([[S:%\d+]] = [[Y]])
// CHECK:             [[IN:%\d+]] = pvec.range_mask
// CHECK:             [[SUM:%\d+]] = arith.addf [[S]], {{%\d+}}
// CHECK-NEXT:        [[KEPT:%\d+]] = pvec.select [[IN]], [[SUM]], [[S]]
// CHECK-NEXT:        affine.yield [[KEPT]]
// CHECK:           [[ALL:%\d+]] = affine.for {{.*}} to {{.*}}(%stop) iter_args({{%\d+}} = [[BEGUN]])
// CHECK:           [[DONE:%\d+]] = affine.for {{.*}}(%stop) to {{.*}} iter_args({{%\d+}} = [[ALL]])
// CHECK:           pvec.write [[DONE]], %y[%t] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:      affine.yield
// CHECK-NEXT:    }, {

// Where there is none, it goes through memory: a lane may run never, and its sum be nowhere.
// CHECK-NEXT:      affine.for {{.*}}(%early) to
// CHECK:             [[SOME:%\d+]] = pvec.range_mask
// CHECK:             pvec.read %y[%t] masked [[SOME]]
// CHECK:             pvec.write {{%\d+}}, %y[%t] masked [[SOME]]

// Lanes that all begin and end together need none of it.
func.func @together(%n : index, %k : index, %x : memref<?xf64> {llvm.noalias}, %h : memref<?x?xf64> {llvm.noalias},
                    %y : memref<?xf64> {llvm.noalias}) {
  affine.for %t = 0 to %n {
    affine.for %i = 0 to %k {
      %a = affine.load %x[%i] : memref<?xf64>
      %b = affine.load %h[%i, %t] : memref<?x?xf64>
      %p = arith.mulf %a, %b : f64
      %s = affine.load %y[%t] : memref<?xf64>
      %u = arith.addf %s, %p : f64
      affine.store %u, %y[%t] : memref<?xf64>
    }
  } {poly.loop = #poly.loop<parallel, iterator = "t">}
  func.return
}

// CHECK-LABEL: func.func @together(
// CHECK-NOT:     pvec.select
