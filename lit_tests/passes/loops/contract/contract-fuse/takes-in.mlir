// A nest in front that sets each element and one behind that takes each go into the contraction, in
// whatever order their loops are.
// RUN: polyopt-opt %s -p contract-fuse | filecheck %s

// CHECK-LABEL: func.func @both
// CHECK-NEXT:    %zero = arith.constant
// CHECK-NEXT:    contract.nest
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      contract.begin %x : f64 {
// CHECK-NEXT:      ^bb0(%{{.*}}: f64):
// CHECK-NEXT:        contract.yield %zero : f64
// CHECK-NEXT:      }
// CHECK:           contract.finish %x : f64 to %Y at affine_map<(d0, d1) -> (d0, d1)>(%i, %j) : memref<?x?xf64> {
// CHECK-NEXT:      ^bb0([[S:%.*]]: f64):
// CHECK-NEXT:        [[M:%.*]] = arith.mulf [[S]], [[S]] : f64
// CHECK-NEXT:        contract.yield [[M]] : f64
// CHECK-NEXT:      }
// CHECK-NEXT:      contract.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func @both(%n: index, %C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias},
                 %B: memref<?x?xf64> {llvm.noalias},
                 %Y: memref<?x?xf64> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      affine.store %zero, %C[%i, %j] : memref<?x?xf64>
    }
  }
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, n - j - 1 >= 0, k >= 0, 63 - k >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    %t = arith.mulf %p, %q : f64
    %y = arith.addf %x, %t : f64
    contract.yield %y : f64
  }
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %n {
      %s = affine.load %C[%i, %j] : memref<?x?xf64>
      %m = arith.mulf %s, %s : f64
      affine.store %m, %Y[%i, %j] : memref<?x?xf64>
    }
  }
  func.return
}

// One side of a test has the contraction, the other one the nests as they are.
// CHECK-LABEL: func.func @tested
// CHECK-NEXT:    %zero = arith.constant
// CHECK-NEXT:    "affine.if"
// CHECK-NEXT:      contract.nest
// CHECK:             contract.begin
// CHECK:             contract.finish
// CHECK:         }, {
// CHECK-NEXT:      affine.for
// CHECK-NEXT:        affine.for
// CHECK-NEXT:          affine.store %zero, %C
// CHECK:           "test.op"() : () -> ()
// CHECK-NEXT:      affine.for
// CHECK-NEXT:        affine.for
// CHECK-NEXT:          affine.load %C
func.func @tested(%n: index, %C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias},
                 %B: memref<?x?xf64> {llvm.noalias},
                 %Y: memref<?x?xf64> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      affine.store %zero, %C[%i, %j] : memref<?x?xf64>
    }
  }
  "affine.if"(%n) <{condition = affine_set<(d0) : (d0 - 9 >= 0)>}> ({
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, n - j - 1 >= 0, k >= 0, 63 - k >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    %t = arith.mulf %p, %q : f64
    %y = arith.addf %x, %t : f64
    contract.yield %y : f64
  }
    affine.yield
  }, {
    "test.op"() : () -> ()
    affine.yield
  }) : (index) -> ()
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %n {
      %s = affine.load %C[%i, %j] : memref<?x?xf64>
      %m = arith.mulf %s, %s : f64
      affine.store %m, %Y[%i, %j] : memref<?x?xf64>
    }
  }
  func.return
}

// What takes each element may put it back where it was.
// CHECK-LABEL: func.func @in_place
// CHECK-NEXT:    contract.nest
// CHECK:           contract.finish %x : f64 to %C at affine_map<(d0, d1) -> (d0, d1)>(%i, %j) : memref<?x?xf64> {
// CHECK:             math.sqrt
// CHECK:           contract.yield %y
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func @in_place(%n: index, %C: memref<?x?xf64> {llvm.noalias},
                    %A: memref<?x?xf64> {llvm.noalias}, %B: memref<?x?xf64> {llvm.noalias}) {
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, n - j - 1 >= 0, k >= 0, 63 - k >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    %t = arith.mulf %p, %q : f64
    %y = arith.addf %x, %t : f64
    contract.yield %y : f64
  }
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %s = affine.load %C[%i, %j] : memref<?x?xf64>
      %m = math.sqrt %s : f64
      affine.store %m, %C[%i, %j] : memref<?x?xf64>
    }
  }
  func.return
}
