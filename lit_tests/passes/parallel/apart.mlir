// RUN: polyopt-opt %s -p 'affine-parallelize{threads=2 least=0 march=x86-64-v3}' | filecheck %s

// Rows that are made, and columns of them that are read behind: no row's first phase needs what another row's
// second one makes. Two loops, each shared out; what goes between two iterations of none stays together.

// CHECK-LABEL: func.func @mirrored
// CHECK:       "omp.parallel"
// CHECK:         affine.for %i = %first to %last {
// CHECK-NEXT:      affine.for %j
// CHECK:         "omp.terminator"
// CHECK:       "omp.parallel"
// CHECK:         affine.for %i_1 = %first_1 to %last_1 {
// CHECK-NEXT:      affine.for %j_1
// CHECK:           affine.for %k
// CHECK:         "omp.terminator"
// CHECK:       func.return
func.func @mirrored(%x: f64, %A: memref<40x1000xf64> {llvm.noalias}, %B: memref<40x1000xf64> {llvm.noalias}, %C: memref<40x1000xf64> {llvm.noalias}) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 1000 {
      affine.store %x, %A[%i, %j] : memref<40x1000xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
    affine.for %j = 0 to 1000 {
      affine.for %h = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        %a = affine.load %A[%h, %j] : memref<40x1000xf64>
        affine.store %a, %B[%i, %j] : memref<40x1000xf64>
      } {poly.loop = #poly.loop<serial, iterator = "h">}
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
    affine.for %k = 0 to 1000 {
      %b = affine.load %B[%i, 999 - %k] : memref<40x1000xf64>
      affine.store %b, %C[%i, %k] : memref<40x1000xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "k">}
  } {poly.loop = #poly.loop<serial, iterator = "i">}
  func.return
}

// Not where the second phase feeds a later row's first one, nor where a phase needs itself.

// CHECK-LABEL: func.func @back
// CHECK-COUNT-1: affine.for %i
// CHECK-NOT:     affine.for %i_1
// CHECK-LABEL: func.func @itself
// CHECK-COUNT-1: affine.for %i
// CHECK-NOT:     affine.for %i_1
// CHECK-LABEL: func.func @end
func.func @back(%A: memref<41x1000xf64> {llvm.noalias}, %B: memref<41x1000xf64> {llvm.noalias}) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 1000 {
      %b = affine.load %B[%i, %j] : memref<41x1000xf64>
      affine.store %b, %A[%i, 999 - %j] : memref<41x1000xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
    affine.for %j = 0 to 1000 {
      %a = affine.load %A[%i, %j] : memref<41x1000xf64>
      affine.store %a, %B[%i + 1, %j] : memref<41x1000xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
  } {poly.loop = #poly.loop<serial, iterator = "i">}
  func.return
}
func.func @itself(%A: memref<41x1000xf64> {llvm.noalias}, %B: memref<41x1000xf64> {llvm.noalias}) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 1000 {
      %b = affine.load %A[%i, 999 - %j] : memref<41x1000xf64>
      affine.store %b, %A[%i + 1, %j] : memref<41x1000xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
    affine.for %j = 0 to 1000 {
      %a = affine.load %A[%i, %j] : memref<41x1000xf64>
      affine.store %a, %B[%i, %j] : memref<41x1000xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
  } {poly.loop = #poly.loop<serial, iterator = "i">}
  func.return
}
func.func @end() {
  func.return
}
