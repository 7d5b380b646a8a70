// RUN: polyopt-opt %s -p 'affine-parallelize{threads=4}' | filecheck %s

// What all iterations update, each part updates in a copy of the box that they touch; the copies are
// added up in slices.

// CHECK-LABEL: func.func @columns
// CHECK:       %copies = memref.alloc(%threads, %{{.*}}) {alignment = 64 : i64} : memref<?x?xf64>
// CHECK:       "omp.parallel"
// CHECK:         %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f64
// CHECK:         affine.for
// CHECK-NEXT:      affine.store %[[ZERO]], %copies[%part,
// CHECK:         affine.for %i =
// CHECK:           affine.load %copies[%part, %j]
// CHECK:           affine.store %{{.*}}, %copies[%part, %j]
// CHECK:         omp.yield
// CHECK:         "omp.wsloop"
// CHECK:           affine.load %y
// CHECK-NEXT:      affine.load %copies
// CHECK-NEXT:      arith.addf
// CHECK:       memref.dealloc %copies
func.func @columns(%A: memref<1000x1000xf64>) {
  %y = memref.alloc() : memref<1000xf64>
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 1000 {
      %a = affine.load %A[%i, %j] : memref<1000x1000xf64>
      %s = affine.load %y[%j] : memref<1000xf64>
      %t = arith.addf %s, %a : f64
      affine.store %t, %y[%j] : memref<1000xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<reduces = ["y"], iterator = "i">}
  func.return
}

// A maximum begins at the least there is, a difference is added up; a scalar has a cache line for
// each thread, and one thread combines them.

// CHECK-LABEL: func.func @largest
// CHECK:       arith.constant -9223372036854775808 : i64
// CHECK:       arith.maxsi
// CHECK:       "omp.terminator"
// CHECK:       affine.for
// CHECK:         arith.maxsi
func.func @largest(%A: memref<1000000xi64>) {
  %m = memref.alloca() : memref<i64>
  affine.for %i = 0 to 1000000 {
    %a = affine.load %A[%i] : memref<1000000xi64>
    %s = affine.load %m[] : memref<i64>
    %t = arith.maxsi %s, %a : i64
    affine.store %t, %m[] : memref<i64>
  } {poly.loop = #poly.loop<reduces = ["m"], iterator = "i">}
  func.return
}

// CHECK-LABEL: func.func @less
// CHECK:       arith.subi
// CHECK:       "omp.terminator"
// CHECK:       arith.addi %{{.*}}, %{{.*}} : i64
func.func @less(%A: memref<1000000xi64>) {
  %m = memref.alloca() : memref<i64>
  affine.for %i = 0 to 1000000 {
    %a = affine.load %A[%i] : memref<1000000xi64>
    %s = affine.load %m[] : memref<i64>
    %t = arith.subi %s, %a : i64
    affine.store %t, %m[] : memref<i64>
  } {poly.loop = #poly.loop<reduces = ["m"], iterator = "i">}
  func.return
}

// Where the array is read besides, or taken from (x - s is no update), no copy would do.

// CHECK-LABEL: func.func @read_besides
// CHECK-NOT:   omp.
// CHECK:       func.return
func.func @read_besides(%A: memref<1000000xi64>) {
  %m = memref.alloca() : memref<i64>
  affine.for %i = 0 to 1000000 {
    %a = affine.load %A[%i] : memref<1000000xi64>
    %s = affine.load %m[] : memref<i64>
    %t = arith.addi %s, %a : i64
    affine.store %t, %m[] : memref<i64>
    %u = affine.load %m[] : memref<i64>
    affine.store %u, %A[%i] : memref<1000000xi64>
  } {poly.loop = #poly.loop<reduces = ["m"], iterator = "i">}
  func.return
}

// CHECK-LABEL: func.func @alternating
// CHECK-NOT:   omp.
// CHECK:       func.return
func.func @alternating(%A: memref<1000000xi64>) {
  %m = memref.alloca() : memref<i64>
  affine.for %i = 0 to 1000000 {
    %a = affine.load %A[%i] : memref<1000000xi64>
    %s = affine.load %m[] : memref<i64>
    %t = arith.subi %a, %s : i64
    affine.store %t, %m[] : memref<i64>
  } {poly.loop = #poly.loop<reduces = ["m"], iterator = "i">}
  func.return
}

// Where the box is more than what is updated (here, 10 elements at its end), the array is touched
// only where a copy has something to add: nothing says that it goes that far.

// CHECK-LABEL: func.func @past_its_end
// CHECK:       "omp.wsloop"
// CHECK:         "omp.wsloop"
// CHECK:           %[[MORE:.*]] = affine.load %copies
// CHECK:           %[[DIFFERS:.*]] = arith.cmpf une, %[[MORE]], %{{.*}} : f64
// CHECK-NEXT:      scf.if %[[DIFFERS]] {
// CHECK-NEXT:        affine.load %y
func.func @past_its_end(%A: memref<1000x1000xf64>, %y: memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 1000 {
      "affine.if"(%j) <{condition = affine_set<(d0) : (-d0 + 989 >= 0)>}> ({
        %a = affine.load %A[%i, %j] : memref<1000x1000xf64>
        %s = affine.load %y[%j] : memref<?xf64>
        %t = arith.addf %s, %a : f64
        affine.store %t, %y[%j] : memref<?xf64>
        affine.yield
      }, {
      }) : (index) -> ()
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<reduces = ["y"], iterator = "i">}
  func.return
}
