// Where calls of a function with vector forms are added up along a row, a vector of them is called at
// once, two in a step. LLVM would take four, and one by one what is left over of a row.
// RUN: polyopt-opt %s -p "affine-vectorize{march=x86-64-v4}" | filecheck %s

// CHECK-LABEL: func.func @softmax_row
// CHECK:         math.exp {{.*}} : vector<16xf32>
// CHECK:         poly.loop = #poly.loop<{{.*}}interleave = 2
func.func @softmax_row(%X: memref<?x?xf32>, %S: memref<?xf32>, %m: index, %n: index) {
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %x = affine.load %X[%i, %j] : memref<?x?xf32>
      %e = math.exp %x fastmath<fast> : f32
      affine.store %e, %X[%i, %j] : memref<?x?xf32>
      %s = affine.load %S[%i] : memref<?xf32>
      %t = arith.addf %s, %e fastmath<fast> : f32
      affine.store %t, %S[%i] : memref<?xf32>
    } {poly.loop = #poly.loop<reduces = ["S"], iterator = "j">}
  }
  func.return
}

// Without a sum LLVM's vectors are as good, and no row is a long loop. Where the function is to be
// exact it has no vector form.
// CHECK-LABEL: func.func @without_a_sum
// CHECK-NOT:     vector
// CHECK-LABEL: func.func @no_row
// CHECK-NOT:     vector
// CHECK-LABEL: func.func @exact
// CHECK-NOT:     vector
func.func @without_a_sum(%X: memref<?x?xf32>, %m: index, %n: index) {
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %x = affine.load %X[%i, %j] : memref<?x?xf32>
      %e = math.exp %x fastmath<fast> : f32
      affine.store %e, %X[%i, %j] : memref<?x?xf32>
    }
  }
  func.return
}
func.func @no_row(%X: memref<?xf32>, %S: memref<f32>, %n: index) {
  affine.for %j = 0 to %n {
    %x = affine.load %X[%j] : memref<?xf32>
    %e = math.exp %x fastmath<fast> : f32
    %s = affine.load %S[] : memref<f32>
    %t = arith.addf %s, %e fastmath<fast> : f32
    affine.store %t, %S[] : memref<f32>
  } {poly.loop = #poly.loop<reduces = ["S"], iterator = "j">}
  func.return
}
func.func @exact(%X: memref<?x?xf32>, %S: memref<?xf32>, %m: index, %n: index) {
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %x = affine.load %X[%i, %j] : memref<?x?xf32>
      %e = math.exp %x : f32
      %s = affine.load %S[%i] : memref<?xf32>
      %t = arith.addf %s, %e fastmath<reassoc> : f32
      affine.store %t, %S[%i] : memref<?xf32>
    } {poly.loop = #poly.loop<reduces = ["S"], iterator = "j">}
  }
  func.return
}

// Behind the end of a row the logarithm is that of one: of zero it is infinite, and libmvec computes
// such lanes one by one.
// CHECK-LABEL: func.func @logarithms
// CHECK:         [[X:%.*]] = pvec.read %X[%i, %v] masked [[M:%.*]] :
// CHECK:         [[ONE:%.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:    [[ONES:%.*]] = vector.broadcast [[ONE]]
// CHECK-NEXT:    [[SAFE:%.*]] = pvec.select [[M]], [[X]], [[ONES]]
// CHECK-NEXT:    math.log [[SAFE]] fastmath<fast>
func.func @logarithms(%X: memref<?x?xf32>, %S: memref<?xf32>, %m: index, %n: index) {
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %x = affine.load %X[%i, %j] : memref<?x?xf32>
      %e = math.log %x fastmath<fast> : f32
      %s = affine.load %S[%i] : memref<?xf32>
      %t = arith.addf %s, %e fastmath<fast> : f32
      affine.store %t, %S[%i] : memref<?xf32>
    } {poly.loop = #poly.loop<reduces = ["S"], iterator = "j">}
  }
  func.return
}

// Two calls added to a sum that is in no loop around: no vectors of ours, nor steps within one, and
// the sum is in any order, so that LLVM has lanes for it.
// CHECK-LABEL: func.func @two_calls
// CHECK-NOT:     vector
// CHECK-NOT:     in_order
func.func @two_calls(%X: memref<?xf32>, %n: index) {
  %S = memref.alloca() : memref<f32>
  affine.for %j = 0 to %n {
    %x = affine.load %X[%j] : memref<?xf32>
    %e = math.exp %x fastmath<fast> : f32
    %l = math.log %x fastmath<fast> : f32
    %p = arith.addf %e, %l fastmath<fast> : f32
    %s = affine.load %S[] : memref<f32>
    %t = arith.addf %s, %p fastmath<fast> : f32
    affine.store %t, %S[] : memref<f32>
  } {poly.loop = #poly.loop<reduces = ["S"], iterator = "j">}
  func.return
}
