// RUN: polyopt-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Each role but "batch" is there once, and there are no others.

func.func @f(%n: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  contract.nest ["rows", "columns", "rows"] in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, 7 - j >= 0, k >= 0, 7 - k >= 0)>
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
// CHECK: expected one iterator each for rows, columns and depth

// -----

// There is a role for each iterator.

func.func @f(%n: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  contract.nest ["rows", "columns"] in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, 7 - j >= 0, k >= 0, 7 - k >= 0)>
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
// CHECK: expected a role for each iterator

// -----

// The points are those of loops in the order of the iterators.

func.func @f(%n: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  contract.nest ["rows", "columns", "depth"] in affine_set<(i, j, k)[n] : (i >= 0, n - 2 * j >= 0)>
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
// CHECK: expected a factor of 1 for the last iterator of each form

// -----

// A map has a result for each dimension of its array.

func.func @f(%n: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  contract.nest ["rows", "columns", "depth"] in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, 7 - j >= 0, k >= 0, 7 - k >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    %t = arith.mulf %p, %q : f64
    %y = arith.addf %x, %t : f64
    contract.yield %y : f64
  }
  func.return
}
// CHECK: expected a map with 2 results

// -----

// Maps are linear.

func.func @f(%n: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  contract.nest ["rows", "columns", "depth"] in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, 7 - j >= 0, k >= 0, 7 - k >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k floordiv 2)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    %t = arith.mulf %p, %q : f64
    %y = arith.addf %x, %t : f64
    contract.yield %y : f64
  }
  func.return
}
// CHECK: expected sums and products with numbers only

// -----

// A step along columns leads to the next element of what is updated.

func.func @f(%n: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  contract.nest ["rows", "columns", "depth"] in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, 7 - j >= 0, k >= 0, 7 - k >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (j, i)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    %t = arith.mulf %p, %q : f64
    %y = arith.addf %x, %t : f64
    contract.yield %y : f64
  }
  func.return
}
// CHECK: expected columns side by side in what is updated

// -----

// What is updated is the same for all steps of depth.

func.func @f(%n: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  contract.nest ["rows", "columns", "depth"] in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, 7 - j >= 0, k >= 0, 7 - k >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i + k, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    %t = arith.mulf %p, %q : f64
    %y = arith.addf %x, %t : f64
    contract.yield %y : f64
  }
  func.return
}
// CHECK: what is updated varies with depth

// -----

// No operand varies with rows and with columns: that would be no panel.

func.func @f(%n: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  contract.nest ["rows", "columns", "depth"] in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, 7 - j >= 0, k >= 0, 7 - k >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (i, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    %t = arith.mulf %p, %q : f64
    %y = arith.addf %x, %t : f64
    contract.yield %y : f64
  }
  func.return
}
// CHECK: an array is taken by rows or batches, and by columns

// -----

// A body computes, and does nothing else.

func.func @f(%n: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  contract.nest ["rows", "columns", "depth"] in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, 7 - j >= 0, k >= 0, 7 - k >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    %t = arith.mulf %p, %q : f64
    %y = arith.addf %x, %t : f64
    memref.store %y, %C[%n, %n] : memref<?x?xf64>
    contract.yield %y : f64
  }
  func.return
}
// CHECK: expected operations that only compute, not memref.store

// -----

// The next value of each element that is updated is yielded.

func.func @f(%n: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  contract.nest ["rows", "columns", "depth"] in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, 7 - j >= 0, k >= 0, 7 - k >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    contract.yield
  }
  func.return
}
// CHECK: expected a yield of (f64)

// -----

// Iterators are names of places.

func.func @f(%n: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  contract.nest ["rows", "columns", "depth"] in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, 7 - j >= 0, k >= 0, 7 - k >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    %i1 = arith.addi %i, %j : index
    contract.yield %x : f64
  }
  func.return
}
// CHECK: only places may be said with iterators

// -----

// What begins an element is in front of the first step of depth, which is the same for all.

func.func @f(%n: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  contract.nest ["rows", "columns", "depth"] in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, 7 - j >= 0, k >= 0, i - k >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    contract.begin %x : f64 {
    ^bb0(%old: f64):
      contract.yield %old : f64
    }
    contract.yield %x : f64
  }
  func.return
}
// CHECK: expected the same steps of depth for all elements

// -----

// What is not updated has no updates to begin.

func.func @f(%n: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  contract.nest ["rows", "columns", "depth"] in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, 7 - j >= 0, k >= 0, 7 - k >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    contract.begin %p : f64 {
    ^bb0(%old: f64):
      contract.yield %old : f64
    }
    contract.yield %x : f64
  }
  func.return
}
// CHECK: expected an element that is updated

// -----

// A body of what goes around the updates is on the element.

func.func @f(%n: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  contract.nest ["rows", "columns", "depth"] in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, 7 - j >= 0, k >= 0, 7 - k >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    contract.begin %x : f64 {
    ^bb0(%old: f32):
      contract.yield %x : f64
    }
    contract.yield %x : f64
  }
  func.return
}
// CHECK: expected a body on the element

// -----

// A tile takes panels of its own width.

func.func @f(%C: memref<?x?xf64>, %p: memref<2x8x4xf64>, %q: memref<2x8x4xf64>) {
  contract.tile at affine_map<() -> (0, 0, 0, 0, 0)> in affine_set<(i, j, k) : (i >= 0)>
    assuming affine_set<() : ()> first affine_set<() : ()> last affine_set<() : ()> room affine_set<() : ()>
    with () blocking <rows = 4, vectors = 2, lanes = 4, depth = 8, row_block = 4, column_block = 8>
    updates (%C : memref<?x?xf64>) maps [affine_map<(i, j, k) -> (i, j)>]
    rows (%p : memref<2x8x4xf64>) columns (%q : memref<2x8x4xf64>) {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %a: f64, %b: f64):
    contract.yield %x : f64
  }
  func.return
}
// CHECK: expected panels 8 wide

// -----

// A panel in memory has a dimension for tiles, one for steps and one for what lies side by side.

func.func @f(%p: memref<8x4xf64>, %A: memref<8x16xf64>) {
  contract.pack %p from affine_map<() -> (0, 0)> counts affine_map<() -> (8)>
    in affine_set<(x, k) : (x >= 0)> assuming affine_set<() : ()> with ()
    takes (%A : memref<8x16xf64>) at [affine_map<(x, k) -> (x, k)>] lanes 4 {
  ^bb0(%x: index, %k: index, %a: f64):
    contract.yield %a : f64
  } : memref<8x4xf64>
  func.return
}
// CHECK: expected a panel in memory to have three dimensions

// -----

// A pack says the group of its panel.

func.func @f(%n: index, %A: memref<8x16xi8>) {
  %p = contract.panel across affine_map<()[n] -> (n)> deep affine_map<()[n] -> (16)> with (%n)
    : !contract.panel<4, i8, 4>
  contract.pack %p from affine_map<() -> (0, 0)> counts affine_map<() -> (8)>
    in affine_set<(x, k) : (x >= 0)> assuming affine_set<() : ()> with ()
    takes (%A : memref<8x16xi8>) at [affine_map<(x, k) -> (x, k)>] lanes 4 group 2 {
  ^bb0(%x: index, %k: index, %a: i8):
    contract.yield %a : i8
  } : !contract.panel<4, i8, 4>
  func.return
}
// CHECK: expected the group of the panel

// -----

// Steps are grouped of products of narrow integers only.

func.func @f(%C: memref<?x?xi32>, %p: memref<2x8x8xi32>, %q: memref<2x8x16xi32>) {
  contract.tile at affine_map<() -> (0, 0, 0, 0, 0)> in affine_set<(i, j, k) : (i >= 0)>
    assuming affine_set<() : ()> first affine_set<() : ()> last affine_set<() : ()> room affine_set<() : ()>
    with () blocking <rows = 4, vectors = 2, lanes = 4, depth = 8, row_block = 4, column_block = 8, group = 2>
    updates (%C : memref<?x?xi32>) maps [affine_map<(i, j, k) -> (i, j)>]
    rows (%p : memref<2x8x8xi32>) columns (%q : memref<2x8x16xi32>) {
  ^bb0(%i: index, %j: index, %k: index, %x: i32, %a: i32, %b: i32):
    %t = arith.muli %a, %b : i32
    %y = arith.addi %x, %t : i32
    contract.yield %y : i32
  }
  func.return
}
// CHECK: expected a product of narrow integers where steps are grouped

// -----

// Bytes go in fours.

func.func @f(%C: memref<?x?xi32>, %p: memref<2x8x8xi8>, %q: memref<2x8x16xi8>) {
  contract.tile at affine_map<() -> (0, 0, 0, 0, 0)> in affine_set<(i, j, k) : (i >= 0)>
    assuming affine_set<() : ()> first affine_set<() : ()> last affine_set<() : ()> room affine_set<() : ()>
    with () blocking <rows = 4, vectors = 2, lanes = 4, depth = 8, row_block = 4, column_block = 8, group = 2>
    updates (%C : memref<?x?xi32>) maps [affine_map<(i, j, k) -> (i, j)>]
    rows (%p : memref<2x8x8xi8>) columns (%q : memref<2x8x16xi8>) {
  ^bb0(%i: index, %j: index, %k: index, %x: i32, %a: i8, %b: i8):
    %u = arith.extsi %a : i8 to i32
    %v = arith.extsi %b : i8 to i32
    %t = arith.muli %u, %v : i32
    %y = arith.addi %x, %t : i32
    contract.yield %y : i32
  }
  func.return
}
// CHECK: expected groups of 32 bits

// -----

// Each element has all steps of a group.

func.func @f(%C: memref<?x?xi32>, %p: memref<2x8x8xi16>, %q: memref<2x8x16xi16>) {
  contract.tile at affine_map<() -> (0, 0, 0, 0, 0)> in affine_set<(i, j, k) : (i - k >= 0)>
    assuming affine_set<() : ()> first affine_set<() : ()> last affine_set<() : ()> room affine_set<() : ()>
    with () blocking <rows = 4, vectors = 2, lanes = 4, depth = 8, row_block = 4, column_block = 8, group = 2>
    updates (%C : memref<?x?xi32>) maps [affine_map<(i, j, k) -> (i, j)>]
    rows (%p : memref<2x8x8xi16>) columns (%q : memref<2x8x16xi16>) {
  ^bb0(%i: index, %j: index, %k: index, %x: i32, %a: i16, %b: i16):
    %u = arith.extsi %a : i16 to i32
    %v = arith.extsi %b : i16 to i32
    %t = arith.muli %u, %v : i32
    %y = arith.addi %x, %t : i32
    contract.yield %y : i32
  }
  func.return
}
// CHECK: expected the same steps of depth for all elements
