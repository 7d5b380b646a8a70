// RUN: polyopt-opt %s -p 'affine-tile-registers{march=x86-64-v3}' --remarks 2>&1 | filecheck %s
// RUN: sed 's/to %w {/to 4 {/' %s | polyopt-opt -p 'affine-tile-registers{march=x86-64-v3}' --remarks 2>&1 | filecheck %s --check-prefix=FEW

// What an innermost loop computes alike in each iteration stands in front of it, and does not count:
// an iteration of a tile is one sum for each vector, which waits for the sum before it as long as
// eight take, so that there are as many. Beside few iterations it counts.

// CHECK: applied: {{7 rows of 2 vectors|8 rows of 1 vector|10 rows of 1 vector}} of 4 kept in registers [affine-tile-registers]
// FEW: applied: 1 row of 1 vector of 4 kept in registers [affine-tile-registers]
func.func @f(%n : index, %m : index, %w : index, %A : memref<?x?xf64> {llvm.noalias}, %B : memref<?x?xf64> {llvm.noalias}, %C : memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      affine.for %s = 0 to %w {
        %a = affine.load %A[0, %i] : memref<?x?xf64>
        %b = affine.load %B[0, %j] : memref<?x?xf64>
        %d = arith.subf %a, %b : f64
        %e = arith.mulf %d, %d : f64
        %g = arith.mulf %e, %d : f64
        %h = arith.mulf %g, %d : f64
        %k = arith.mulf %h, %d : f64
        %l = arith.mulf %k, %d : f64
        %q = arith.mulf %l, %d : f64
        %r = arith.mulf %q, %d : f64
        %o = arith.mulf %r, %d : f64
        %c = affine.load %C[%i, %j] : memref<?x?xf64>
        %u = arith.addf %c, %o : f64
        affine.store %u, %C[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
