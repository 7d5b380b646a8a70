// RUN: polyopt-opt %s -p affine-look-up-rows | filecheck %s

// One loop alone has vectors of what it looks up.
// CHECK-LABEL: func.func @alone
// CHECK:         memref.load
func.func @alone(%c: memref<50xi32> {llvm.noalias}, %t: memref<12x8xf64> {llvm.noalias},
                 %o: memref<8xf64> {llvm.noalias}, %n: index) {
  affine.for %p = 0 to %n {
    affine.for %y = 0 to 8 {
      %k = affine.load %c[%p] : memref<50xi32>
      %row = arith.index_cast %k : i32 to index
      %v = memref.load %t[%row, %y] : memref<12x8xf64>
      affine.store %v, %o[%y] : memref<8xf64>
    }
  }
  func.return
}

// Where the loops go from one number to a greater one, nobody asks whether they go at all. What is
// looked up twice is found once, and what nobody needs any more is gone.
// CHECK-LABEL: func.func @twice
// CHECK-NOT:     affine.if
// CHECK:         affine.load %c
// CHECK:         affine.load %c
// CHECK-NOT:     affine.load %c
// CHECK:         affine.for %x = 0 to 9 {
// CHECK-NEXT:      affine.for %y = 0 to 8 {
// CHECK-NEXT:        affine.load %table_1[%x, %y]
// CHECK-NEXT:        affine.load %table_1[%x, %y + 1]
func.func @twice(%c: memref<50xi32> {llvm.noalias}, %t: memref<12x9x?xf64> {llvm.noalias},
                 %o: memref<9x8xf64> {llvm.noalias}, %p: index, %m: index) {
  %pointer = cmem.address %t[%p, %p, %p] : memref<12x9x?xf64>
  %table = cmem.view %pointer[%m] : memref<?x9x?xf64>
  affine.for %x = 0 to 9 {
    affine.for %y = 0 to 8 {
      %k = affine.load %c[%p] : memref<50xi32>
      %first = arith.index_cast %k : i32 to index
      %l = affine.load %c[%first] : memref<50xi32>
      %row = arith.index_cast %l : i32 to index
      %v = memref.load %table[%row, %x, %y] : memref<?x9x?xf64>
      %one = arith.constant 1 : index
      %z = arith.addi %y, %one : index
      %w = memref.load %table[%row, %x, %z] : memref<?x9x?xf64>
      %s = arith.addf %v, %w : f64
      affine.store %s, %o[%x, %y] : memref<9x8xf64>
    }
  }
  func.return
}

// The extent of a row's second dimension is not known: the table came as an argument.
// CHECK-LABEL: func.func @unknown
// CHECK:         memref.load
func.func @unknown(%c: memref<50xi32> {llvm.noalias}, %t: memref<12x9x?xf64> {llvm.noalias},
                   %o: memref<9x8xf64> {llvm.noalias}, %p: index) {
  affine.for %x = 0 to 9 {
    affine.for %y = 0 to 8 {
      %k = affine.load %c[%p] : memref<50xi32>
      %row = arith.index_cast %k : i32 to index
      %v = memref.load %t[%row, %x, %y] : memref<12x9x?xf64>
      affine.store %v, %o[%x, %y] : memref<9x8xf64>
    }
  }
  func.return
}

// Where the first of two loops has no iteration, the other one needs what both look up.
// CHECK-LABEL: func.func @beside
// CHECK:         "affine.if"(%m)
// CHECK:           affine.load %c
// CHECK:         "affine.if"(%n)
// CHECK:           affine.load %c
// CHECK:         affine.for %x = 0 to 9 {
func.func @beside(%c: memref<50xi32> {llvm.noalias}, %t: memref<12x9x8xf64> {llvm.noalias},
                  %u: memref<12x9x8xf64> {llvm.noalias}, %o: memref<9x8xf64> {llvm.noalias},
                  %p: index, %m: index, %n: index) {
  affine.for %x = 0 to 9 {
    affine.for %y = 0 to %m {
      %k = affine.load %c[%p] : memref<50xi32>
      %row = arith.index_cast %k : i32 to index
      %v = memref.load %t[%row, %x, %y] : memref<12x9x8xf64>
      affine.store %v, %o[%x, %y] : memref<9x8xf64>
    }
    affine.for %z = 0 to %n {
      %l = affine.load %c[%p] : memref<50xi32>
      %other = arith.index_cast %l : i32 to index
      %w = memref.load %u[%other, %x, %z] : memref<12x9x8xf64>
      affine.store %w, %o[%x, %z] : memref<9x8xf64>
    }
  }
  func.return
}
