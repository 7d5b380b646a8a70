// At the edges: no iteration, as few as are worth a loop of their own and one less, a strip and one more,
// and what was stored further back than a strip.
// RUN: polyopt-opt %s -p affine-isolate-calls | filecheck %s
module attributes {polyopt.fastmath = #arith.fastmath<fast>} {
  func.func @empty(%x: memref<?xf64> {llvm.noalias}, %y: memref<?xf64> {llvm.noalias}) {
    affine.for %i = 5 to 5 {
      %a = affine.load %x[%i] : memref<?xf64>
      %e = math.exp %a : f64
      %p = affine.load %y[%i + -1] : memref<?xf64>
      %s = arith.mulf %p, %e : f64
      affine.store %s, %y[%i] : memref<?xf64>
    }
    func.return
  }

// CHECK-LABEL: func.func @empty(
// CHECK-NEXT:    affine.for %i = 5 to 5 {
// CHECK-NEXT:      %a = affine.load %x[%i] : memref<?xf64>
// CHECK-NEXT:      %e = math.exp %a : f64
// CHECK-NEXT:      %p = affine.load %y[%i + -1] : memref<?xf64>
// CHECK-NEXT:      %s = arith.mulf %p, %e : f64
// CHECK-NEXT:      affine.store %s, %y[%i] : memref<?xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
  func.func @sixteen(%x: memref<?xf64> {llvm.noalias}, %y: memref<?xf64> {llvm.noalias}) {
    affine.for %i = 1 to 17 {
      %a = affine.load %x[%i] : memref<?xf64>
      %e = math.exp %a : f64
      %p = affine.load %y[%i + -1] : memref<?xf64>
      %s = arith.mulf %p, %e : f64
      affine.store %s, %y[%i] : memref<?xf64>
    }
    func.return
  }

// CHECK-LABEL: func.func @sixteen(
// CHECK-NEXT:    [[V0:%\d+]] = memref.alloca() {alignment = 64 : i64} : memref<256xf64>
// CHECK-NEXT:    affine.for %strip = 1 to 17 step 256 {
// CHECK-NEXT:      affine.for %i = affine_map<(d0) -> (d0)>(%strip) to min affine_map<(d0) -> ((d0 + 256), 17)>(%strip) {
// CHECK-NEXT:        %a = affine.load %x[%i] : memref<?xf64>
// CHECK-NEXT:        %e = math.exp %a : f64
// CHECK-NEXT:        affine.store %e, [[V0]][%i + %strip * -1] : memref<256xf64>
// CHECK-NEXT:      } {poly.loop = #poly.loop<parallel>}
// CHECK-NEXT:      affine.for %i_1 = affine_map<(d0) -> (d0)>(%strip) to min affine_map<(d0) -> ((d0 + 256), 17)>(%strip) {
// CHECK-NEXT:        %p = affine.load %y[%i_1 + -1] : memref<?xf64>
// CHECK-NEXT:        [[V1:%\d+]] = affine.load [[V0]][%i_1 + %strip * -1] : memref<256xf64>
// CHECK-NEXT:        %s = arith.mulf %p, [[V1]] : f64
// CHECK-NEXT:        affine.store %s, %y[%i_1] : memref<?xf64>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
  func.func @fifteen(%x: memref<?xf64> {llvm.noalias}, %y: memref<?xf64> {llvm.noalias}) {
    affine.for %i = 1 to 16 {
      %a = affine.load %x[%i] : memref<?xf64>
      %e = math.exp %a : f64
      %p = affine.load %y[%i + -1] : memref<?xf64>
      %s = arith.mulf %p, %e : f64
      affine.store %s, %y[%i] : memref<?xf64>
    }
    func.return
  }

// CHECK-LABEL: func.func @fifteen(
// CHECK-NEXT:    affine.for %i = 1 to 16 {
// CHECK-NEXT:      %a = affine.load %x[%i] : memref<?xf64>
// CHECK-NEXT:      %e = math.exp %a : f64
// CHECK-NEXT:      %p = affine.load %y[%i + -1] : memref<?xf64>
// CHECK-NEXT:      %s = arith.mulf %p, %e : f64
// CHECK-NEXT:      affine.store %s, %y[%i] : memref<?xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
  func.func @strip_and_one(%x: memref<?xf64> {llvm.noalias}, %y: memref<?xf64> {llvm.noalias}) {
    affine.for %i = 1 to 258 {
      %a = affine.load %x[%i] : memref<?xf64>
      %e = math.exp %a : f64
      %p = affine.load %y[%i + -1] : memref<?xf64>
      %s = arith.mulf %p, %e : f64
      affine.store %s, %y[%i] : memref<?xf64>
    }
    func.return
  }

// CHECK-LABEL: func.func @strip_and_one(
// CHECK-NEXT:    [[V0:%\d+]] = memref.alloca() {alignment = 64 : i64} : memref<256xf64>
// CHECK-NEXT:    affine.for %strip = 1 to 258 step 256 {
// CHECK-NEXT:      affine.for %i = affine_map<(d0) -> (d0)>(%strip) to min affine_map<(d0) -> ((d0 + 256), 258)>(%strip) {
// CHECK-NEXT:        %a = affine.load %x[%i] : memref<?xf64>
// CHECK-NEXT:        %e = math.exp %a : f64
// CHECK-NEXT:        affine.store %e, [[V0]][%i + %strip * -1] : memref<256xf64>
// CHECK-NEXT:      } {poly.loop = #poly.loop<parallel>}
// CHECK-NEXT:      affine.for %i_1 = affine_map<(d0) -> (d0)>(%strip) to min affine_map<(d0) -> ((d0 + 256), 258)>(%strip) {
// CHECK-NEXT:        %p = affine.load %y[%i_1 + -1] : memref<?xf64>
// CHECK-NEXT:        [[V1:%\d+]] = affine.load [[V0]][%i_1 + %strip * -1] : memref<256xf64>
// CHECK-NEXT:        %s = arith.mulf %p, [[V1]] : f64
// CHECK-NEXT:        affine.store %s, %y[%i_1] : memref<?xf64>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
  func.func @far_back(%n: index, %x: memref<?xf64> {llvm.noalias}, %y: memref<?xf64> {llvm.noalias}) {
    affine.for %i = 1000 to %n {
      %a = affine.load %x[%i] : memref<?xf64>
      %e = math.exp %a : f64
      %p = affine.load %y[%i + -1000] : memref<?xf64>
      %s = arith.mulf %p, %e : f64
      affine.store %s, %y[%i] : memref<?xf64>
    }
    func.return
  }

// CHECK-LABEL: func.func @far_back(
// CHECK-NEXT:    [[V0:%\d+]] = memref.alloca() {alignment = 64 : i64} : memref<256xf64>
// CHECK-NEXT:    affine.for %strip = 1000 to affine_map<(d0) -> (d0)>(%n) step 256 {
// CHECK-NEXT:      affine.for %i = affine_map<(d0) -> (d0)>(%strip) to min affine_map<(d0, d1) -> ((d0 + 256), d1)>(%strip, %n) {
// CHECK-NEXT:        %a = affine.load %x[%i] : memref<?xf64>
// CHECK-NEXT:        %e = math.exp %a : f64
// CHECK-NEXT:        affine.store %e, [[V0]][%i + %strip * -1] : memref<256xf64>
// CHECK-NEXT:      } {poly.loop = #poly.loop<parallel>}
// CHECK-NEXT:      affine.for %i_1 = affine_map<(d0) -> (d0)>(%strip) to min affine_map<(d0, d1) -> ((d0 + 256), d1)>(%strip, %n) {
// CHECK-NEXT:        %p = affine.load %y[%i_1 + -1000] : memref<?xf64>
// CHECK-NEXT:        [[V1:%\d+]] = affine.load [[V0]][%i_1 + %strip * -1] : memref<256xf64>
// CHECK-NEXT:        %s = arith.mulf %p, [[V1]] : f64
// CHECK-NEXT:        affine.store %s, %y[%i_1] : memref<?xf64>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
}
