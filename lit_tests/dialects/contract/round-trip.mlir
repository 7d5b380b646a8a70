// Each operation of the dialect is read and printed: a nest with sizes, facts and what goes around
// its updates, room for panels, packs and a tile, on panels and on places in memory.
// RUN: ROUNDTRIP

// CHECK-LABEL: func.func @structured
// CHECK-NEXT:    contract.nest ["rows", "columns", "depth"] in affine_set<(d0, d1, d2)[s0] : (d0 >= 0, ((s0 + (d0 * -1)) + -1) >= 0, d1 >= 0, ((d0 + (d1 * -1)) + -1) >= 0, d2 >= 0, ((d2 * -1) + 9) >= 0)> with(%n) updates(%C : memref<?x?xf64>) takes(%A, %B, %s : memref<?x?xf64>, memref<?x?xf64>, memref<f64>) at [
// CHECK-SAME:      loops [#poly.loop<parallel, iterator = "i">, #poly.loop<parallel>, #poly.loop<serial>]
// CHECK-SAME:      blocking <rows = 4, vectors = 2, lanes = 4, depth = 16, row_block = 8, column_block = 16> kept {
// CHECK-NEXT:    ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64, %scale: f64):
// CHECK-NEXT:      contract.begin %x : f64 {
// CHECK-NEXT:      ^bb0(%old: f64):
// CHECK-NEXT:        contract.yield %old : f64
// CHECK-NEXT:      }
// CHECK-NEXT:      %u = arith.mulf %scale, %p : f64
// CHECK-NEXT:      %t = arith.mulf %u, %q : f64
// CHECK-NEXT:      %y = arith.addf %x, %t : f64
// CHECK-NEXT:      contract.finish %x : f64 to %B at affine_map<(d0, d1) -> (d0, (d1 + 1))>(%i, %j) : memref<?x?xf64> reads_back {
// CHECK-NEXT:      ^bb0(%sum: f64):
// CHECK-NEXT:        contract.yield %sum : f64
// CHECK-NEXT:      }
// CHECK-NEXT:      contract.yield %y : f64
// CHECK-NEXT:    }
func.func @structured(%n: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>,
                      %s: memref<f64>) {
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, i - j - 1 >= 0, k >= 0, 9 - k >= 0)>
    with (%n) updates (%C : memref<?x?xf64>)
    takes (%A, %B, %s : memref<?x?xf64>, memref<?x?xf64>, memref<f64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (n - k, j)>, affine_map<(i, j, k)[n] -> ()>]
    loops [#poly.loop<parallel, iterator = "i">, #poly.loop<parallel>, #poly.loop<serial>]
    blocking <rows = 4, vectors = 2, lanes = 4, depth = 16, row_block = 8, column_block = 16> kept {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64, %scale: f64):
    contract.begin %x : f64 {
    ^bb0(%old: f64):
      contract.yield %old : f64
    }
    %u = arith.mulf %scale, %p : f64
    %t = arith.mulf %u, %q : f64
    %y = arith.addf %x, %t : f64
    contract.finish %x : f64 to %B at affine_map<(i, j) -> (i, j + 1)>(%i, %j) : memref<?x?xf64> reads_back {
    ^bb0(%sum: f64):
      contract.yield %sum : f64
    }
    contract.yield %y : f64
  }
  func.return
}

// CHECK-LABEL: func.func @blocked
// CHECK-NEXT:    %p = contract.panel across affine_map<()[s0] -> (s0, 8)> deep affine_map<()[s0] -> (16)> with(%n) : !contract.panel<4, f64>
// CHECK-NEXT:    %q = contract.panel across affine_map<()[s0] -> (s0)> deep affine_map<()[s0] -> (16)> with(%n) kept : !contract.panel<8, f64>
// CHECK-NEXT:    contract.pack %p from affine_map<()[s0] -> (0, 0)> counts affine_map<()[s0] -> (s0, 8)> in affine_set<(d0, d1)[s0] : (d0 >= 0, ((s0 + (d0 * -1)) + -1) >= 0, d1 >= 0)> assuming affine_set<()[s0] : ((s0 + -1) >= 0)> with(%n) takes(%A : memref<?x?xf64>) at [affine_map<(d0, d1)[s0] -> (d0, d1)>] lanes 4 {
// CHECK-NEXT:    ^bb0(%x: index, %k: index, %a: f64):
// CHECK-NEXT:      contract.yield %a : f64
// CHECK-NEXT:    } : !contract.panel<4, f64>
// CHECK-NEXT:    contract.tile at affine_map<()[s0] -> (0, 0, 0, 0, 0)> in affine_set<(d0, d1, d2)[s0] : {{.*}} first affine_set<()[s0] : ()> last affine_set<()[s0] : ((s0 + -1) >= 0)> room affine_set<()[s0] : ()> with(%n) blocking <{{.*}}> updates(%C : memref<?x?xf64>) maps [affine_map<(d0, d1, d2)[s0] -> (d0, d1)>] rows(%p : !contract.panel<4, f64>) columns(%q : !contract.panel<8, f64>) {
func.func @blocked(%n: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>) {
  %p = contract.panel across affine_map<()[n] -> (n, 8)> deep affine_map<()[n] -> (16)> with (%n)
    : !contract.panel<4, f64>
  %q = contract.panel across affine_map<()[n] -> (n)> deep affine_map<()[n] -> (16)> with (%n) kept
    : !contract.panel<8, f64>
  contract.pack %p from affine_map<()[n] -> (0, 0)> counts affine_map<()[n] -> (n, 8)>
    in affine_set<(x, k)[n] : (x >= 0, n - x - 1 >= 0, k >= 0)>
    assuming affine_set<()[n] : (n - 1 >= 0)> with (%n) takes (%A : memref<?x?xf64>)
    at [affine_map<(x, k)[n] -> (x, k)>] lanes 4 {
  ^bb0(%x: index, %k: index, %a: f64):
    contract.yield %a : f64
  } : !contract.panel<4, f64>
  contract.tile at affine_map<()[n] -> (0, 0, 0, 0, 0)>
    in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, k >= 0)>
    assuming affine_set<()[n] : (n - 1 >= 0)> first affine_set<()[n] : ()>
    last affine_set<()[n] : (n - 1 >= 0)> room affine_set<()[n] : ()> with (%n)
    blocking <rows = 4, vectors = 2, lanes = 4, depth = 16, row_block = 8, column_block = 16>
    updates (%C : memref<?x?xf64>) maps [affine_map<(i, j, k)[n] -> (i, j)>]
    rows (%p : !contract.panel<4, f64>) columns (%q : !contract.panel<8, f64>) {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %a: f64, %b: f64):
    %t = arith.mulf %a, %b : f64
    %y = arith.addf %x, %t : f64
    contract.yield %y : f64
  }
  func.return
}

// CHECK-LABEL: func.func @packed
// CHECK-NEXT:    contract.pack %p from
// CHECK:         } : memref<2x16x4xf64>
func.func @packed(%p: memref<2x16x4xf64>, %A: memref<8x16xf64>) {
  contract.pack %p from affine_map<() -> (0, 0)> counts affine_map<() -> (8)>
    in affine_set<(x, k) : (x >= 0, 7 - x >= 0, k >= 0, 15 - k >= 0)>
    assuming affine_set<() : ()> with () takes (%A : memref<8x16xf64>)
    at [affine_map<(x, k) -> (x, k)>] lanes 4 {
  ^bb0(%x: index, %k: index, %a: f64):
    contract.yield %a : f64
  } : memref<2x16x4xf64>
  func.return
}

// Steps in groups: the panel's type and its pack say so.
// CHECK-LABEL: func.func @grouped
// CHECK-NEXT:    %p = contract.panel {{.*}} : !contract.panel<4, i8, 4>
// CHECK-NEXT:    contract.pack %p {{.*}} lanes 4 group 4 {
// CHECK:         } : !contract.panel<4, i8, 4>
func.func @grouped(%n: index, %A: memref<8x16xi8>) {
  %p = contract.panel across affine_map<()[n] -> (n)> deep affine_map<()[n] -> (16)> with (%n)
    : !contract.panel<4, i8, 4>
  contract.pack %p from affine_map<() -> (0, 0)> counts affine_map<() -> (8)>
    in affine_set<(x, k) : (x >= 0)> assuming affine_set<() : ()> with ()
    takes (%A : memref<8x16xi8>) at [affine_map<(x, k) -> (x, k)>] lanes 4 group 4 {
  ^bb0(%x: index, %k: index, %a: i8):
    contract.yield %a : i8
  } : !contract.panel<4, i8, 4>
  func.return
}
