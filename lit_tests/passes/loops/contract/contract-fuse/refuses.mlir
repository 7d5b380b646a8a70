// Nests stay where another operation needs them: one that reads what was set on the way, one column
// less than the contraction has, or a panel that reads what would be written, in blocks nobody knows.
// RUN: polyopt-opt %s -p contract-fuse | filecheck %s

// CHECK-LABEL: func.func @read
// CHECK-NOT:     contract.begin
func.func @read(%n: index, %C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias},
                 %B: memref<?x?xf64> {llvm.noalias},
                 %Y: memref<?x?xf64> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      affine.store %zero, %C[%i, %j] : memref<?x?xf64>
    }
  }
  %v = affine.load %C[0, 0] : memref<?x?xf64>
  affine.store %v, %Y[0, 0] : memref<?x?xf64>
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
  func.return
}

// CHECK-LABEL: func.func @less
// CHECK-NOT:     contract.begin
func.func @less(%n: index, %C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias},
                 %B: memref<?x?xf64> {llvm.noalias},
                 %Y: memref<?x?xf64> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %n {
    affine.for %j = 1 to %n {
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
  func.return
}

// CHECK-LABEL: func.func @reads_back
// CHECK-NOT:     contract.finish
func.func @reads_back(%n: index, %C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias},
                 %B: memref<?x?xf64> {llvm.noalias}) {
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
      affine.store %m, %A[%i, %j] : memref<?x?xf64>
    }
  }
  func.return
}

// With sizes it is known what to do: in one block of columns the tile writes, else the nest behind.
// CHECK-LABEL: func.func @in_one_block
// CHECK:         contract.finish %x : f64 to %A at {{.*}} reads_back
// CHECK:         contract.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    contract.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    "affine.if"(%n) <{condition = affine_set<(d0) : ((d0 + -17) >= 0)>}> ({
// CHECK-NEXT:      affine.for
func.func @in_one_block(%n: index, %C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias},
                 %B: memref<?x?xf64> {llvm.noalias}) {
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, n - j - 1 >= 0, k >= 0, 63 - k >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>]
    blocking <rows = 2, vectors = 1, lanes = 4, depth = 16, row_block = 8, column_block = 16> {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    %t = arith.mulf %p, %q : f64
    %y = arith.addf %x, %t : f64
    contract.yield %y : f64
  }
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %n {
      %s = affine.load %C[%i, %j] : memref<?x?xf64>
      %m = arith.mulf %s, %s : f64
      affine.store %m, %A[%i, %j] : memref<?x?xf64>
    }
  }
  func.return
}

// What has been put back in place by the nest itself is not what it has in registers.
// CHECK-LABEL: func.func @behind_in_place
// CHECK:         contract.finish
// CHECK-NOT:     contract.finish
// CHECK:         affine.store %{{.*}}, %Y
func.func @behind_in_place(%n: index, %C: memref<?x?xf64> {llvm.noalias},
                           %A: memref<?x?xf64> {llvm.noalias}, %B: memref<?x?xf64> {llvm.noalias},
                           %Y: memref<?x?xf64> {llvm.noalias}) {
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, n - j - 1 >= 0, k >= 0, 63 - k >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    %t = arith.mulf %p, %q : f64
    %y = arith.addf %x, %t : f64
    contract.finish %x : f64 to %C at affine_map<(i, j) -> (i, j)>(%i, %j) : memref<?x?xf64> {
    ^bb1(%r: f64):
      %m = arith.mulf %r, %r : f64
      contract.yield %m : f64
    }
    contract.yield %y : f64
  }
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %s = affine.load %C[%i, %j] : memref<?x?xf64>
      affine.store %s, %Y[%i, %j] : memref<?x?xf64>
    }
  }
  func.return
}
