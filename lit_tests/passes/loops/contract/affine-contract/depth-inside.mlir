// A product along rows of memory, depth around columns, has its results in registers only if depth runs
// inside: where tiles of registers are wanted, it is written so for the sizes that are not packed.
// RUN: polyopt-opt %s -p 'affine-contract{tiles=true march="x86-64-v4"}' | filecheck %s

// CHECK-LABEL: func.func @along_rows
// CHECK:         contract.nest
// CHECK:         affine.for %i{{[_0-9]*}} = 0 to {{.*}} {
// CHECK-NEXT:      affine.for %j{{[_0-9]*}} = 0 to {{.*}} {
// CHECK-NEXT:        affine.for %k{{[_0-9]*}} = 0 to {{.*}} {
// CHECK-NEXT:          affine.load %C[%i{{[_0-9]*}}, %j{{[_0-9]*}}]
func.func @along_rows(%n: index, %C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias},
                      %B: memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n { affine.for %k = 0 to %n { affine.for %j = 0 to %n {
    %c = affine.load %C[%i, %j] : memref<?x?xf64>
    %a = affine.load %A[%i, %k] : memref<?x?xf64>
    %b = affine.load %B[%k, %j] : memref<?x?xf64>
    %t = arith.mulf %a, %b : f64
    %s = arith.addf %c, %t : f64
    affine.store %s, %C[%i, %j] : memref<?x?xf64>
  } } }
  func.return
}

// Refused: columns that begin where depth is. What is left is as it was.
// CHECK-LABEL: func.func @triangle
// CHECK:         affine.for %i{{[_0-9]*}} = 0 to {{.*}} {
// CHECK-NEXT:      affine.for %k{{[_0-9]*}} = 0 to {{.*}} {
// CHECK-NEXT:        affine.for %j{{[_0-9]*}} = {{.*}}(%k{{[_0-9]*}}) to {{.*}} {
func.func @triangle(%n: index, %C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias},
                    %B: memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n { affine.for %k = 0 to %n {
    affine.for %j = affine_map<(d0) -> (d0)>(%k) to %n {
      %c = affine.load %C[%i, %j] : memref<?x?xf64>
      %a = affine.load %A[%i, %k] : memref<?x?xf64>
      %b = affine.load %B[%k, %j] : memref<?x?xf64>
      %t = arith.mulf %a, %b : f64
      %s = arith.addf %c, %t : f64
      affine.store %s, %C[%i, %j] : memref<?x?xf64>
  } } }
  func.return
}

// Edge: without tiles nobody asks for another order, and what loops are proved to be stays with them.
// RUN: polyopt-opt %s -p 'affine-contract{march="x86-64-v4"}' | filecheck %s --check-prefix=PLAIN
// PLAIN-LABEL: func.func @along_rows
// PLAIN:         affine.for %i{{[_0-9]*}} = 0 to {{.*}} {
// PLAIN-NEXT:      affine.for %k{{[_0-9]*}} = 0 to {{.*}} {
