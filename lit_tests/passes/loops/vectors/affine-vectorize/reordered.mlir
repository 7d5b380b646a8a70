// What an iteration takes before a later one changes it, or writes before a later one does: vectors
// where operations have an order that keeps it for all lanes; none where they wait for each other in a
// ring, unless that goes farther than a vector, nor where a near one reads what was written.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"},share-transfers' | filecheck %s

// The element behind is read before any lane is written.
func.func @read_ahead(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xf64>
    %s = arith.mulf %a, %a : f64
    affine.store %s, %A[%i] : memref<?xf64>
    %x = affine.load %A[%i + 1] : memref<?xf64>
    %y = arith.addf %x, %x : f64
    affine.store %y, %B[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<serial>}
  func.return
}

// CHECK-LABEL: func.func @read_ahead
// CHECK:         pvec.read %A[%v] masked
// CHECK:         pvec.read %A[%v + 1] masked
// CHECK:         pvec.write {{.*}}, %A[%v] masked

// All lanes could be written before the elements in front are read, but would not be there in time.
func.func @read_behind(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 1 to %n {
    %x = affine.load %A[%i - 1] : memref<?xf64>
    %y = arith.addf %x, %x : f64
    affine.store %y, %B[%i] : memref<?xf64>
    %a = affine.load %A[%i] : memref<?xf64>
    %s = arith.mulf %a, %a : f64
    affine.store %s, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<serial>}
  func.return
}

// CHECK-LABEL: func.func @read_behind
// CHECK-NOT:     vector<
// CHECK:         func.return

func.func @ring(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 1 to %n {
    %x = affine.load %A[%i - 1] : memref<?xf64>
    %y = arith.mulf %x, %x : f64
    affine.store %y, %B[%i] : memref<?xf64>
    %b = affine.load %B[%i - 1] : memref<?xf64>
    %s = arith.mulf %b, %b : f64
    affine.store %s, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<serial>}
  func.return
}

// CHECK-LABEL: func.func @ring
// CHECK-NOT:     vector<
// CHECK:         func.return

// As far as a vector of bytes is long.
func.func @far_ring(%n : index, %A : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 64 to %n {
    %x = affine.load %A[%i - 64] : memref<?xf64>
    %y = arith.mulf %x, %x : f64
    affine.store %y, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<serial>}
  func.return
}

// CHECK-LABEL: func.func @far_ring
// CHECK:         pvec.write

// One of the arms runs: neither waits for the other in its own iteration.
func.func @arms(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}, %D : memref<?xf64> {llvm.noalias}, %t : f64) {
  affine.for %i = 0 to %n {
    %d = affine.load %D[%i] : memref<?xf64>
    %c = arith.cmpf olt, %d, %t : f64
    scf.if %c {
      %b = affine.load %B[%i] : memref<?xf64>
      %s = arith.addf %b, %d : f64
      affine.store %s, %A[%i] : memref<?xf64>
    } else {
      %a = affine.load %A[%i + 1] : memref<?xf64>
      %s = arith.addf %a, %d : f64
      affine.store %s, %B[%i] : memref<?xf64>
    }
  } {poly.loop = #poly.loop<serial>}
  func.return
}

// CHECK-LABEL: func.func @arms
// CHECK:         pvec.read %A[%v + 1] masked
// CHECK:         pvec.write {{.*}}, %A[%v] masked
