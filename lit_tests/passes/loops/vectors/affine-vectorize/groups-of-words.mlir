// Without AVX-512, stores of words in turns are groups of ours where they leave nothing out; LLVM
// has those of vectors of 16 bytes, and of narrower elements.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v3"}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64"}' | filecheck %s --check-prefix=LLVM

// CHECK-LABEL: func.func @sums_and_differences
// CHECK:         pvec.write_in_turns ({{%.*, %.*}}), %out[%{{.*}} * 2] : memref<?xf32>, vector<8xf32>
// LLVM-LABEL: func.func @sums_and_differences
// LLVM-NOT:   pvec
func.func @sums_and_differences(%a : memref<?xf32> {llvm.noalias}, %b : memref<?xf32> {llvm.noalias}, %out : memref<?xf32> {llvm.noalias}, %n : index) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf32>
    %y = affine.load %b[%i] : memref<?xf32>
    %s = arith.addf %x, %y : f32
    %d = arith.subf %x, %y : f32
    affine.store %s, %out[%i * 2] : memref<?xf32>
    affine.store %d, %out[%i * 2 + 1] : memref<?xf32>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// Where one of three is left out, it would have to be masked.
// CHECK-LABEL: func.func @two_of_three
// CHECK-NOT:     pvec
// CHECK-LABEL: func.func @shorts
func.func @two_of_three(%a : memref<?xf32> {llvm.noalias}, %b : memref<?xf32> {llvm.noalias}, %out : memref<?xf32> {llvm.noalias}, %n : index) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf32>
    %y = affine.load %b[%i] : memref<?xf32>
    %s = arith.addf %x, %y : f32
    %d = arith.subf %x, %y : f32
    affine.store %s, %out[%i * 3] : memref<?xf32>
    affine.store %d, %out[%i * 3 + 1] : memref<?xf32>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-NOT:     pvec
func.func @shorts(%a : memref<?xi16> {llvm.noalias}, %b : memref<?xi16> {llvm.noalias}, %out : memref<?xi16> {llvm.noalias}, %n : index) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xi16>
    %y = affine.load %b[%i] : memref<?xi16>
    %s = arith.addi %x, %y : i16
    %d = arith.subi %x, %y : i16
    affine.store %s, %out[%i * 2] : memref<?xi16>
    affine.store %d, %out[%i * 2 + 1] : memref<?xi16>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}
