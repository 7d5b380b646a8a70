// Facts on loops and arithmetic are printed as they are read, in one order.
// RUN: polyopt-opt %s | polyopt-opt | filecheck %s

func.func @facts(%n : index, %A : memref<?xf64>) {
  affine.for %i = 0 to %n {
  } {poly.loop = #poly.loop<tile, iterator = "i", parallel>}
  affine.for %i = 0 to %n {
  } {poly.loop = #poly.loop<reduces = ["s", "t"], unroll, jam>}
  affine.for %i = 0 to %n {
  } {poly.loop = #poly.loop<reduces = ["s"], pipeline>}
  affine.for %i = 0 to %n {
  } {poly.loop = #poly.loop<serial, no_vector, no_unroll, unroll_by_4>}
  affine.for %i = 0 to %n {
  } {poly.loop = #poly.loop<at_most = 8, interleave = 2>}
  %step = arith.constant 1 : index
  scf.for %i = %step to %n step %step {
    %x = memref.load %A[%i] : memref<?xf64>
    %y = arith.addf %x, %x {poly.rounding = #poly.rounding<unfused, in_order>} : f64
    memref.store %y, %A[%i] : memref<?xf64>
    memref.store %y, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<nontemporal = [1, 0]>}
  func.return
}

// CHECK:      {poly.loop = #poly.loop<parallel, iterator = "i", tile>}
// CHECK:      {poly.loop = #poly.loop<reduces = ["s", "t"], unroll, jam>}
// CHECK:      {poly.loop = #poly.loop<pipeline, reduces = ["s"]>}
// CHECK:      {poly.loop = #poly.loop<serial, no_vector, no_unroll, unroll_by_4>}
// CHECK:      {poly.loop = #poly.loop<interleave = 2, at_most = 8>}
// CHECK:      arith.addf %x, %x {poly.rounding = #poly.rounding<in_order, unfused>} : f64
// CHECK:      {poly.loop = #poly.loop<nontemporal = [0, 1]>}
