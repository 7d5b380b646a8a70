// Conditionals of a loop that carries nothing are selections where the loop becomes narrow without them; where it does not, where
// an arm stores alone, or where something is carried, they stay.
// RUN: polyopt-opt %s -p 'affine-narrow' | filecheck %s

func.func @letters(%n : index, %A : memref<?xi8>, %B : memref<?xi8>) {
  %letter = arith.constant 97 : i32
  %half = arith.constant 13 : i32
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi8>
    %x = arith.extsi %a : i8 to i32
    %is_letter = arith.cmpi sge, %x, %letter : i32
    %v = scf.if %is_letter -> (i8) {
      %s = arith.addi %x, %half overflow<nsw> : i32
      %t = arith.trunci %s : i32 to i8
      scf.yield %t : i8
    } else {
      scf.yield %a : i8
    }
    affine.store %v, %B[%i] : memref<?xi8>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @letters(
// CHECK:         affine.for
// CHECK-NOT:     scf.if
// CHECK:         [[S:%\S+]] = arith.addi {{.*}} : i8
// CHECK:         [[V:%\S+]] = arith.select {{%\S+}}, [[S]], {{%\S+}} : i8
// CHECK:         affine.store [[V]]
// CHECK-NOT:     affine.for

func.func @wide(%n : index, %A : memref<?xi8>, %B : memref<?xi8>, %by : i32) {
  %letter = arith.constant 97 : i32
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi8>
    %x = arith.extsi %a : i8 to i32
    %is_letter = arith.cmpi sge, %x, %letter : i32
    %v = scf.if %is_letter -> (i8) {
      %s = arith.muli %x, %by : i32
      %q = arith.divsi %s, %letter : i32
      %t = arith.trunci %q : i32 to i8
      scf.yield %t : i8
    } else {
      scf.yield %a : i8
    }
    affine.store %v, %B[%i] : memref<?xi8>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @wide(
// CHECK:         affine.for
// CHECK:         scf.if
// CHECK:         arith.divsi {{.*}} : i32
// CHECK-NOT:     affine.for

func.func @serial(%n : index, %A : memref<?xi8>) {
  %letter = arith.constant 97 : i32
  affine.for %i = 1 to %n {
    %a = affine.load %A[%i + -1] : memref<?xi8>
    %x = arith.extsi %a : i8 to i32
    %is_letter = arith.cmpi sge, %x, %letter : i32
    %v = scf.if %is_letter -> (i8) {
      %s = arith.addi %x, %letter : i32
      %t = arith.trunci %s : i32 to i8
      scf.yield %t : i8
    } else {
      scf.yield %a : i8
    }
    affine.store %v, %A[%i] : memref<?xi8>
  } {poly.loop = #poly.loop<serial>}
  func.return
}

// CHECK-LABEL: func.func @serial(
// CHECK:         scf.if

func.func @stores(%n : index, %A : memref<?xi8>, %B : memref<?xi8>) {
  %letter = arith.constant 97 : i32
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi8>
    %x = arith.extsi %a : i8 to i32
    %is_letter = arith.cmpi sge, %x, %letter : i32
    scf.if %is_letter {
      affine.store %a, %B[%i] : memref<?xi8>
    }
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @stores(
// CHECK:         scf.if
