// Loops over rows that vectors have filled stay loops where they spread many elements: LLVM would take
// these out of the vectors by shuffles.
// RUN: polyopt-opt %s -p 'lower-transfers' | filecheck %s

func.func @rows(%B : memref<8x8xf32> {llvm.noalias}, %C : memref<8x8xf32> {llvm.noalias}, %n : index) {
  %t = memref.alloca() : memref<8x8xf32>
  affine.for %i = 0 to 8 {
    %v = affine.vector_load %B[%i, 0] : memref<8x8xf32>, vector<8xf32>
    affine.vector_store %v, %t[%i, 0] : memref<8x8xf32>, vector<8xf32>
  }
  affine.for %r = 0 to 8 {
    %a0 = affine.load %t[%r, 0] : memref<8x8xf32>
    %x0 = vector.broadcast %a0 : f32 to vector<8xf32>
    affine.vector_store %x0, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a1 = affine.load %t[%r, 1] : memref<8x8xf32>
    %x1 = vector.broadcast %a1 : f32 to vector<8xf32>
    affine.vector_store %x1, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a2 = affine.load %t[%r, 2] : memref<8x8xf32>
    %x2 = vector.broadcast %a2 : f32 to vector<8xf32>
    affine.vector_store %x2, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a3 = affine.load %t[%r, 3] : memref<8x8xf32>
    %x3 = vector.broadcast %a3 : f32 to vector<8xf32>
    affine.vector_store %x3, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a4 = affine.load %t[%r, 4] : memref<8x8xf32>
    %x4 = vector.broadcast %a4 : f32 to vector<8xf32>
    affine.vector_store %x4, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a5 = affine.load %t[%r, 5] : memref<8x8xf32>
    %x5 = vector.broadcast %a5 : f32 to vector<8xf32>
    affine.vector_store %x5, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a6 = affine.load %t[%r, 6] : memref<8x8xf32>
    %x6 = vector.broadcast %a6 : f32 to vector<8xf32>
    affine.vector_store %x6, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a7 = affine.load %t[%r, 7] : memref<8x8xf32>
    %x7 = vector.broadcast %a7 : f32 to vector<8xf32>
    affine.vector_store %x7, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @rows
// CHECK:         affine.for %i = 0 to 8 {
// CHECK-NOT:     no_unroll
// CHECK:         affine.for %r
// CHECK:         } {poly.loop = #poly.loop<no_unroll>}

// One element for each round: the round costs more.
func.func @few(%B : memref<8x8xf32> {llvm.noalias}, %C : memref<8x8xf32> {llvm.noalias}, %n : index) {
  %t = memref.alloca() : memref<8x8xf32>
  affine.for %i = 0 to 8 {
    %v = affine.vector_load %B[%i, 0] : memref<8x8xf32>, vector<8xf32>
    affine.vector_store %v, %t[%i, 0] : memref<8x8xf32>, vector<8xf32>
  }
  affine.for %r = 0 to 8 {
    %a0 = affine.load %t[%r, 0] : memref<8x8xf32>
    %x0 = vector.broadcast %a0 : f32 to vector<8xf32>
    affine.vector_store %x0, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @few
// CHECK-NOT:     no_unroll

// LLVM does not know what the caller's array holds.
func.func @not_local(%B : memref<8x8xf32> {llvm.noalias}, %C : memref<8x8xf32> {llvm.noalias}, %n : index, %t : memref<8x8xf32> {llvm.noalias}) {
  affine.for %i = 0 to 8 {
    %v = affine.vector_load %B[%i, 0] : memref<8x8xf32>, vector<8xf32>
    affine.vector_store %v, %t[%i, 0] : memref<8x8xf32>, vector<8xf32>
  }
  affine.for %r = 0 to 8 {
    %a0 = affine.load %t[%r, 0] : memref<8x8xf32>
    %x0 = vector.broadcast %a0 : f32 to vector<8xf32>
    affine.vector_store %x0, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a1 = affine.load %t[%r, 1] : memref<8x8xf32>
    %x1 = vector.broadcast %a1 : f32 to vector<8xf32>
    affine.vector_store %x1, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a2 = affine.load %t[%r, 2] : memref<8x8xf32>
    %x2 = vector.broadcast %a2 : f32 to vector<8xf32>
    affine.vector_store %x2, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a3 = affine.load %t[%r, 3] : memref<8x8xf32>
    %x3 = vector.broadcast %a3 : f32 to vector<8xf32>
    affine.vector_store %x3, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a4 = affine.load %t[%r, 4] : memref<8x8xf32>
    %x4 = vector.broadcast %a4 : f32 to vector<8xf32>
    affine.vector_store %x4, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a5 = affine.load %t[%r, 5] : memref<8x8xf32>
    %x5 = vector.broadcast %a5 : f32 to vector<8xf32>
    affine.vector_store %x5, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a6 = affine.load %t[%r, 6] : memref<8x8xf32>
    %x6 = vector.broadcast %a6 : f32 to vector<8xf32>
    affine.vector_store %x6, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a7 = affine.load %t[%r, 7] : memref<8x8xf32>
    %x7 = vector.broadcast %a7 : f32 to vector<8xf32>
    affine.vector_store %x7, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @not_local
// CHECK-NOT:     no_unroll

// Nobody knows how long the loop is, which LLVM does not unroll in full.
func.func @any_length(%B : memref<8x8xf32> {llvm.noalias}, %C : memref<8x8xf32> {llvm.noalias}, %n : index) {
  %t = memref.alloca() : memref<8x8xf32>
  affine.for %i = 0 to 8 {
    %v = affine.vector_load %B[%i, 0] : memref<8x8xf32>, vector<8xf32>
    affine.vector_store %v, %t[%i, 0] : memref<8x8xf32>, vector<8xf32>
  }
  affine.for %r = 0 to %n {
    %a0 = affine.load %t[%r, 0] : memref<8x8xf32>
    %x0 = vector.broadcast %a0 : f32 to vector<8xf32>
    affine.vector_store %x0, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a1 = affine.load %t[%r, 1] : memref<8x8xf32>
    %x1 = vector.broadcast %a1 : f32 to vector<8xf32>
    affine.vector_store %x1, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a2 = affine.load %t[%r, 2] : memref<8x8xf32>
    %x2 = vector.broadcast %a2 : f32 to vector<8xf32>
    affine.vector_store %x2, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a3 = affine.load %t[%r, 3] : memref<8x8xf32>
    %x3 = vector.broadcast %a3 : f32 to vector<8xf32>
    affine.vector_store %x3, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a4 = affine.load %t[%r, 4] : memref<8x8xf32>
    %x4 = vector.broadcast %a4 : f32 to vector<8xf32>
    affine.vector_store %x4, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a5 = affine.load %t[%r, 5] : memref<8x8xf32>
    %x5 = vector.broadcast %a5 : f32 to vector<8xf32>
    affine.vector_store %x5, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a6 = affine.load %t[%r, 6] : memref<8x8xf32>
    %x6 = vector.broadcast %a6 : f32 to vector<8xf32>
    affine.vector_store %x6, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a7 = affine.load %t[%r, 7] : memref<8x8xf32>
    %x7 = vector.broadcast %a7 : f32 to vector<8xf32>
    affine.vector_store %x7, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @any_length
// CHECK-NOT:     no_unroll

// Elements that are stored one by one are values of their own.
func.func @by_elements(%B : memref<8x8xf32> {llvm.noalias}, %C : memref<8x8xf32> {llvm.noalias}, %n : index) {
  %t = memref.alloca() : memref<8x8xf32>
  affine.for %i = 0 to 8 {
    %v = affine.vector_load %B[%i, 0] : memref<8x8xf32>, vector<8xf32>
    %e = affine.load %B[%i, 0] : memref<8x8xf32>
    affine.store %e, %t[%i, 0] : memref<8x8xf32>
  }
  affine.for %r = 0 to 8 {
    %a0 = affine.load %t[%r, 0] : memref<8x8xf32>
    %x0 = vector.broadcast %a0 : f32 to vector<8xf32>
    affine.vector_store %x0, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a1 = affine.load %t[%r, 1] : memref<8x8xf32>
    %x1 = vector.broadcast %a1 : f32 to vector<8xf32>
    affine.vector_store %x1, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a2 = affine.load %t[%r, 2] : memref<8x8xf32>
    %x2 = vector.broadcast %a2 : f32 to vector<8xf32>
    affine.vector_store %x2, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a3 = affine.load %t[%r, 3] : memref<8x8xf32>
    %x3 = vector.broadcast %a3 : f32 to vector<8xf32>
    affine.vector_store %x3, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a4 = affine.load %t[%r, 4] : memref<8x8xf32>
    %x4 = vector.broadcast %a4 : f32 to vector<8xf32>
    affine.vector_store %x4, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a5 = affine.load %t[%r, 5] : memref<8x8xf32>
    %x5 = vector.broadcast %a5 : f32 to vector<8xf32>
    affine.vector_store %x5, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a6 = affine.load %t[%r, 6] : memref<8x8xf32>
    %x6 = vector.broadcast %a6 : f32 to vector<8xf32>
    affine.vector_store %x6, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
    %a7 = affine.load %t[%r, 7] : memref<8x8xf32>
    %x7 = vector.broadcast %a7 : f32 to vector<8xf32>
    affine.vector_store %x7, %C[%r, 0] : memref<8x8xf32>, vector<8xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @by_elements
// CHECK-NOT:     no_unroll
// CHECK:         func.return
