// Products of bytes go four steps at once where the CPU has an operation for that, two steps as 16 bits
// elsewhere; the factors that are packed are narrow.
// RUN: polyopt-opt %s -p 'contract-plan{march="icelake-server"}' | filecheck %s --check-prefixes=CHECK,FOUR
// RUN: polyopt-opt %s -p 'contract-plan{march="x86-64-v3"}' | filecheck %s --check-prefixes=CHECK,TWO

// CHECK-LABEL: func.func @bytes
// FOUR:          group = 4> {
// FOUR:          %u = arith.extui %p : i8 to i32
// FOUR-NEXT:     %v = arith.extsi %q : i8 to i32
// FOUR-NEXT:     %t = arith.muli %u, %v : i32
// TWO:           group = 2> {
// TWO:           [[P:%.*]] = arith.trunci %u : i32 to i16
// TWO-NEXT:      [[U:%.*]] = arith.extsi [[P]] : i16 to i32
// TWO-NEXT:      [[Q:%.*]] = arith.trunci %v : i32 to i16
// TWO-NEXT:      [[V:%.*]] = arith.extsi [[Q]] : i16 to i32
// TWO-NEXT:      %t = arith.muli [[U]], [[V]] : i32
func.func @bytes(%n: index, %C: memref<?x?xi32> {llvm.noalias}, %A: memref<?x?xi8> {llvm.noalias},
                 %B: memref<?x?xi8> {llvm.noalias}) {
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, n - j - 1 >= 0, k >= 0, 63 - k >= 0)>
    with (%n) updates (%C : memref<?x?xi32>) takes (%A, %B : memref<?x?xi8>, memref<?x?xi8>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: i32, %p: i8, %q: i8):
    %u = arith.extui %p : i8 to i32
    %v = arith.extsi %q : i8 to i32
    %t = arith.muli %u, %v : i32
    %y = arith.addi %x, %t : i32
    contract.yield %y : i32
  }
  func.return
}

// Edge: a byte less 128 is a byte with a sign.
// CHECK-LABEL: func.func @less
// FOUR:          group = 4> {
// FOUR:          [[P:%.*]] = arith.trunci %z : i32 to i8
// FOUR-NEXT:     arith.extsi [[P]] : i8 to i32
func.func @less(%n: index, %C: memref<?x?xi32> {llvm.noalias}, %A: memref<?x?xi8> {llvm.noalias},
                 %B: memref<?x?xi8> {llvm.noalias}) {
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, n - j - 1 >= 0, k >= 0, 63 - k >= 0)>
    with (%n) updates (%C : memref<?x?xi32>) takes (%A, %B : memref<?x?xi8>, memref<?x?xi8>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: i32, %p: i8, %q: i8):
    %zero = arith.constant 128 : i32
    %u = arith.extui %p : i8 to i32
    %z = arith.subi %u, %zero : i32
    %v = arith.extsi %q : i8 to i32
    %t = arith.muli %z, %v : i32
    %y = arith.addi %x, %t : i32
    contract.yield %y : i32
  }
  func.return
}

// Refused: steps that are not the same for all rows; factors of which nothing is known.
// CHECK-LABEL: func.func @steps_by_row
// CHECK-NOT:     group
// CHECK-LABEL: func.func @wide
// CHECK-NOT:     group
func.func @steps_by_row(%n: index, %C: memref<?x?xi32> {llvm.noalias}, %A: memref<?x?xi8> {llvm.noalias},
                 %B: memref<?x?xi8> {llvm.noalias}) {
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, n - j - 1 >= 0, k >= 0, i - k >= 0)>
    with (%n) updates (%C : memref<?x?xi32>) takes (%A, %B : memref<?x?xi8>, memref<?x?xi8>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: i32, %p: i8, %q: i8):
    %u = arith.extui %p : i8 to i32
    %v = arith.extsi %q : i8 to i32
    %t = arith.muli %u, %v : i32
    %y = arith.addi %x, %t : i32
    contract.yield %y : i32
  }
  func.return
}
func.func @wide(%n: index, %C: memref<?x?xi32> {llvm.noalias}, %A: memref<?x?xi32> {llvm.noalias},
                 %B: memref<?x?xi8> {llvm.noalias}) {
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, n - j - 1 >= 0, k >= 0, 63 - k >= 0)>
    with (%n) updates (%C : memref<?x?xi32>) takes (%A, %B : memref<?x?xi32>, memref<?x?xi8>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: i32, %p: i32, %q: i8):
    %v = arith.extsi %q : i8 to i32
    %t = arith.muli %p, %v : i32
    %y = arith.addi %x, %t : i32
    contract.yield %y : i32
  }
  func.return
}
