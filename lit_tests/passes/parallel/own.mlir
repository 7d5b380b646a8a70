// RUN: polyopt-opt %s -p affine-parallelize{least=1} | filecheck %s

// What each iteration makes before it reads it is no reason to wait: a thread has its own.

// CHECK-LABEL: func.func @made_first
// CHECK:         "omp.parallel"
// CHECK-NEXT:      %[[ROW:.*]] = memref.alloca() : memref<100xf64>
// CHECK:           "omp.wsloop"
// CHECK:             affine.store %{{.*}}, %[[ROW]][%j]
// CHECK:             affine.load %[[ROW]][%{{.*}} * -1 + 99]
func.func @made_first(%A: memref<1000x100xf64> {llvm.noalias}) {
  %row = memref.alloca() : memref<100xf64>
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 100 {
      %x = affine.load %A[%i, %j] : memref<1000x100xf64>
      %y = arith.addf %x, %x : f64
      affine.store %y, %row[%j] : memref<100xf64>
    }
    affine.for %k = 0 to 100 {
      %z = affine.load %row[%k * -1 + 99] : memref<100xf64>
      affine.store %z, %A[%i, %k] : memref<1000x100xf64>
    }
  }
  func.return
}

// One element is not made: it comes from the iteration before.

// CHECK-LABEL: func.func @one_is_left
// CHECK-NOT:   omp.
func.func @one_is_left(%A: memref<1000x100xf64> {llvm.noalias}) {
  %row = memref.alloca() : memref<100xf64>
  affine.for %i = 0 to 1000 {
    affine.for %j = 1 to 100 {
      %x = affine.load %A[%i, %j] : memref<1000x100xf64>
      affine.store %x, %row[%j] : memref<100xf64>
    }
    affine.for %k = 0 to 100 {
      %z = affine.load %row[%k] : memref<100xf64>
      affine.store %z, %A[%i, %k] : memref<1000x100xf64>
    }
  }
  func.return
}

// Made under a condition is not made.

// CHECK-LABEL: func.func @perhaps
// CHECK-NOT:   omp.
func.func @perhaps(%A: memref<1000x100xf64> {llvm.noalias}, %n: index) {
  %row = memref.alloca() : memref<100xf64>
  affine.for %i = 0 to 1000 {
    "affine.if"(%n) <{condition = affine_set<(d0) : (d0 - 9 >= 0)>}> ({
      affine.for %j = 0 to 100 {
        %x = affine.load %A[%i, %j] : memref<1000x100xf64>
        affine.store %x, %row[%j] : memref<100xf64>
      }
      affine.yield
    }, {}) : (index) -> ()
    affine.for %k = 0 to 100 {
      %z = affine.load %row[%k] : memref<100xf64>
      affine.store %z, %A[%i, %k] : memref<1000x100xf64>
    }
  }
  func.return
}

// What is read behind the loop is what the last iteration has left: that one works in the variable itself.

// CHECK-LABEL: func.func @read_behind
// CHECK:         "omp.parallel"
// CHECK-NEXT:      %[[T:.*]] = memref.alloca() : memref<f64>
// CHECK:           %[[FIRST:.*]], %[[LAST:.*]] = team.share
// CHECK:           affine.for
// CHECK:             affine.store %{{.*}}, %[[T]][]
// CHECK:           %[[END:.*]] = arith.cmpi eq, %[[LAST]], %
// CHECK:           %[[SOME:.*]] = arith.cmpi slt, %[[FIRST]], %[[LAST]]
// CHECK:           %[[HERE:.*]] = arith.andi %[[END]], %[[SOME]]
// CHECK-NEXT:      scf.if %[[HERE]] {
// CHECK-NOT:         affine.for
// CHECK:             affine.store %{{.*}}, %t[]
// CHECK:       affine.load %t[]
func.func @read_behind(%A: memref<1000xf64> {llvm.noalias}) -> f64 {
  %t = memref.alloca() : memref<f64>
  affine.for %i = 0 to 1000 {
    %x = affine.load %A[%i] : memref<1000xf64>
    affine.store %x, %t[] : memref<f64>
    %y = affine.load %t[] : memref<f64>
    %z = arith.divf %y, %y : f64
    affine.store %z, %A[%i] : memref<1000xf64>
  }
  %last = affine.load %t[] : memref<f64>
  func.return %last : f64
}

// It may have been told apart from others, and used before, or where the loop has not run.

// CHECK-LABEL: func.func @told_apart
// CHECK:         "omp.parallel"
// CHECK-NEXT:      %[[ROW:.*]] = memref.alloca() : memref<100xf64>
// CHECK:           "omp.wsloop"
// CHECK:             affine.store %{{.*}}, %[[ROW]][%j]
// CHECK:             affine.load %[[ROW]][%{{.*}} * -1 + 99]
func.func @told_apart(%A: memref<1000x100xf64>, %n: index, %c: i1) {
  %row = memref.alloca() : memref<100xf64>
  %start = memref.load %row[%n] : memref<100xf64>
  cf.cond_br %c, ^loop, ^other
^loop:
  %B, %mine = cmem.distinct_objects %A, %row : memref<1000x100xf64>, memref<100xf64> -> memref<1000x100xf64>, memref<100xf64>
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 100 {
      %x = affine.load %B[%i, %j] : memref<1000x100xf64>
      affine.store %x, %mine[%j] : memref<100xf64>
    }
    affine.for %k = 0 to 100 {
      %z = affine.load %mine[%k * -1 + 99] : memref<100xf64>
      affine.store %z, %B[%i, %k] : memref<1000x100xf64>
    }
  }
  cf.br ^end
^other:
  memref.store %start, %row[%n] : memref<100xf64>
  cf.br ^end
^end:
  func.return
}

// Read when the loop has run, by its other name.

// CHECK-LABEL: func.func @read_later
// CHECK:         "omp.parallel"
// CHECK:           scf.if
// CHECK:             affine.store %{{.*}}, %mine[
func.func @read_later(%A: memref<1000x100xf64>, %n: index) -> f64 {
  %row = memref.alloca() : memref<100xf64>
  %B, %mine = cmem.distinct_objects %A, %row : memref<1000x100xf64>, memref<100xf64> -> memref<1000x100xf64>, memref<100xf64>
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 100 {
      %x = affine.load %B[%i, %j] : memref<1000x100xf64>
      affine.store %x, %mine[%j] : memref<100xf64>
    }
    affine.for %k = 0 to 100 {
      %z = affine.load %mine[%k * -1 + 99] : memref<100xf64>
      affine.store %z, %B[%i, %k] : memref<1000x100xf64>
    }
  }
  %end = memref.load %row[%n] : memref<100xf64>
  func.return %end : f64
}

// The same where a loop around comes back to a read in front.

// CHECK-LABEL: func.func @read_again
// CHECK:         "omp.parallel"
// CHECK:           scf.if
// CHECK:             affine.store %{{.*}}, %row[
func.func @read_again(%A: memref<1000x100xf64> {llvm.noalias}, %n: index, %c: i1) {
  %row = memref.alloca() : memref<100xf64>
  cf.br ^again
^again:
  %start = memref.load %row[%n] : memref<100xf64>
  memref.store %start, %A[%n, %n] : memref<1000x100xf64>
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 100 {
      %x = affine.load %A[%i, %j] : memref<1000x100xf64>
      affine.store %x, %row[%j] : memref<100xf64>
    }
    affine.for %k = 0 to 100 {
      %z = affine.load %row[%k * -1 + 99] : memref<100xf64>
      affine.store %z, %A[%i, %k] : memref<1000x100xf64>
    }
  }
  cf.cond_br %c, ^again, ^end
^end:
  func.return
}

// Its address is known elsewhere, under a name that is in the loop too.

// CHECK-LABEL: func.func @two_names
// CHECK-NOT:   omp.
func.func @two_names(%A: memref<1000x100xf64>) {
  %row = memref.alloca() : memref<100xf64>
  %B, %mine = cmem.distinct_objects %A, %row : memref<1000x100xf64>, memref<100xf64> -> memref<1000x100xf64>, memref<100xf64>
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 100 {
      %x = affine.load %B[%i, %j] : memref<1000x100xf64>
      affine.store %x, %mine[%j] : memref<100xf64>
    }
    affine.for %k = 0 to 100 {
      %z = affine.load %row[%k * -1 + 99] : memref<100xf64>
      affine.store %z, %B[%i, %k] : memref<1000x100xf64>
    }
  }
  func.return
}
