// RUN: polyopt-opt %s -p affine-look-up-rows | filecheck %s

// CHECK-NOT: cmem.

// Which row it is changes in the innermost loops.
func.func @moves(%c: memref<8xi32> {llvm.noalias}, %t: memref<12x9xf64> {llvm.noalias},
                 %o: memref<9x8xf64> {llvm.noalias}) {
  affine.for %x = 0 to 9 {
    affine.for %y = 0 to 8 {
      %k = affine.load %c[%y] : memref<8xi32>
      %row = arith.index_cast %k : i32 to index
      %v = memref.load %t[%row, %x] : memref<12x9xf64>
      affine.store %v, %o[%x, %y] : memref<9x8xf64>
    }
  }
  func.return
}

// The nest may write what says which row it is.
func.func @written(%c: memref<50xi32>, %t: memref<12x9x8xf64>, %o: memref<9x8xi32>, %p: index) {
  affine.for %x = 0 to 9 {
    affine.for %y = 0 to 8 {
      %k = affine.load %c[%p] : memref<50xi32>
      %row = arith.index_cast %k : i32 to index
      %v = memref.load %t[%row, %x, %y] : memref<12x9x8xf64>
      %w = arith.fptosi %v : f64 to i32
      affine.store %w, %o[%x, %y] : memref<9x8xi32>
    }
  }
  func.return
}

// The row is found only where a condition holds.
func.func @guarded(%c: memref<50xi32> {llvm.noalias}, %t: memref<12x9x8xf64> {llvm.noalias},
                   %o: memref<9x8xf64> {llvm.noalias}, %p: index) {
  affine.for %x = 0 to 9 {
    affine.for %y = 0 to 8 {
      "affine.if"(%y) ({
        %k = affine.load %c[%p] : memref<50xi32>
        %row = arith.index_cast %k : i32 to index
        %v = memref.load %t[%row, %x, %y] : memref<12x9x8xf64>
        affine.store %v, %o[%x, %y] : memref<9x8xf64>
        affine.yield
      }, {
      }) {condition = affine_set<(d0) : (d0 - 3 >= 0)>} : (index) -> ()
    }
  }
  func.return
}

// The quotient may not exist where the loops have no iteration.
func.func @divided(%t: memref<12x9x8xf64> {llvm.noalias}, %o: memref<9x8xf64> {llvm.noalias},
                   %p: index, %q: index, %n: index) {
  affine.for %x = 0 to %n {
    affine.for %y = 0 to 8 {
      %row = arith.divsi %p, %q : index
      %v = memref.load %t[%row, %x, %y] : memref<12x9x8xf64>
      affine.store %v, %o[%x, %y] : memref<9x8xf64>
    }
  }
  func.return
}
