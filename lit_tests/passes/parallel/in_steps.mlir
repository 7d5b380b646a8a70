// RUN: polyopt-opt %s -p 'affine-parallelize{threads=2 least=0}' | filecheck %s

// Inside a loop that is no affine one, each nest is one of its own.

// CHECK-LABEL: func.func @steps
// CHECK:       scf.for
// CHECK:         "omp.parallel"
// CHECK:           affine.for %i
// CHECK-NOT:     omp.parallel
// CHECK:         func.call @meet
func.func @steps(%A: memref<1000xf64>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %t = %zero to %n step %one {
    affine.for %i = 0 to 1000 {
      %x = affine.load %A[%i] : memref<1000xf64>
      %y = arith.addf %x, %x : f64
      affine.store %y, %A[%i] : memref<1000xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "i">}
    func.call @meet() : () -> ()
  }
  func.return
}
func.func private @meet()
