// Lanes keep the best value of their own iterations, and its place, under the conditions of the
// search; behind the loop they meet by halves, the last two as numbers. Where the place may not fit
// its type, that is asked before. What the later one of two equal values would change is left as it
// is.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"}' | filecheck %s

// CHECK-LABEL: func.func @allowed
// CHECK-NOT:     2147483648
// CHECK:         iter_args(%[[BEST:.*]] = %{{.*}}, %[[AT:.*]] = %{{.*}}) -> (vector<16xi32>, vector<16xi32>)
// CHECK:           pvec.read %v[{{.*}} masked
// CHECK:           pvec.cmpi "sgt", %{{.*}}, %[[BEST]]
// CHECK:           pvec.select %{{.*}}, %{{.*}}, %[[AT]]
// CHECK:         vector.shuffle %[[OWN:.*]], %[[OWN]] [8, 9, 10, 11, 12, 13, 14, 15]
// CHECK:         vector.extract %{{.*}}[1] : i32 from vector<2xi32>
// CHECK:         arith.cmpi sgt, %{{.*}} : i32
// CHECK:         arith.select %{{.*}} : i32
// CHECK:         affine.store %{{.*}}, %l[]
// CHECK:         affine.store %{{.*}}, %f[]
// CHECK-LABEL: func.func @later_one
func.func @allowed(%bound : i32, %a : memref<?xi32>, %v : memref<?xi32>) {
  %l = memref.alloca() : memref<i32>
  %f = memref.alloca() : memref<i32>
  %n = arith.index_cast %bound : i32 to index
  affine.for %j = 0 to %n {
    %asked = affine.load %a[%j] : memref<?xi32>
    %is_asked = arith.cmpi ne, %asked, %bound : i32
    scf.if %is_asked {
      %new = affine.load %v[%j] : memref<?xi32>
      %old = affine.load %l[] : memref<i32>
      %better = arith.cmpi sgt, %new, %old : i32
      %best = arith.select %better, %new, %old : i32
      affine.store %best, %l[] : memref<i32>
      %place = arith.index_cast %j : index to i32
      %before = affine.load %f[] : memref<i32>
      %at = arith.select %better, %place, %before : i32
      affine.store %at, %f[] : memref<i32>
    }
  }
  func.return
}

// CHECK-NOT:     vector<
// CHECK-LABEL: func.func @seen_by_others
func.func @later_one(%n : index, %v : memref<?xi32>) {
  %l = memref.alloca() : memref<i32>
  %f = memref.alloca() : memref<i32>
  affine.for %j = 0 to %n {
    %new = affine.load %v[%j] : memref<?xi32>
    %old = affine.load %l[] : memref<i32>
    %better = arith.cmpi sge, %new, %old : i32
    %best = arith.select %better, %new, %old : i32
    affine.store %best, %l[] : memref<i32>
    %place = arith.index_cast %j : index to i32
    %before = affine.load %f[] : memref<i32>
    %at = arith.select %better, %place, %before : i32
    affine.store %at, %f[] : memref<i32>
  }
  func.return
}

// CHECK-NOT:     vector<
// CHECK-LABEL: func.func @wide_counter
func.func @seen_by_others(%n : index, %a : memref<?xi32>, %v : memref<?xi32>, %l : memref<i32> {llvm.noalias}) {
  %zero = arith.constant 0 : i32
  affine.for %j = 0 to %n {
    %asked = affine.load %a[%j] : memref<?xi32>
    %is_asked = arith.cmpi ne, %asked, %zero : i32
    scf.if %is_asked {
      %new = affine.load %v[%j] : memref<?xi32>
      %old = affine.load %l[] : memref<i32>
      %best = arith.maxsi %new, %old : i32
      affine.store %best, %l[] : memref<i32>
    }
  }
  func.return
}

// CHECK:         2147483648
// CHECK:           vector<16xi32>
func.func @wide_counter(%n : index, %a : memref<?xi32>, %v : memref<?xi32>) {
  %l = memref.alloca() : memref<i32>
  %f = memref.alloca() : memref<i32>
  affine.for %j = 0 to %n {
    %new = affine.load %v[%j] : memref<?xi32>
    %old = affine.load %l[] : memref<i32>
    %better = arith.cmpi sgt, %new, %old : i32
    %best = arith.select %better, %new, %old : i32
    affine.store %best, %l[] : memref<i32>
    %place = arith.index_cast %j : index to i32
    %before = affine.load %f[] : memref<i32>
    %at = arith.select %better, %place, %before : i32
    affine.store %at, %f[] : memref<i32>
  }
  func.return
}
