// RUN: polyopt-opt -p 'affine-vectorize{march=x86-64-v3}' %s | filecheck %s

// Rows that end, or begin, with what the loop around has just stored alone: no vector holds that.
builtin.module attributes {polyopt.fastmath = #arith.fastmath<fast>} {
  // Forward substitution: one to four iterations are left over, the last one for last.
  // CHECK-LABEL: func.func @forward
  // CHECK:         %[[COUNT:.*]] = affine.apply affine_map<(d0) -> (((d0 + -1) floordiv 4))> (%i)
  // CHECK:         affine.for %{{.*}} = 0 to affine_map<(d0) -> ((d0 * 4))>(%[[COUNT]]) step 4
  // CHECK:           pvec.read %x
  // CHECK:         vector.reduction <add>
  // CHECK:         affine.store %{{.*}}, %x[%i]
  // CHECK:         %[[OLD:[0-9]+]] = affine.load %x[%i]
  // CHECK:         affine.for %j = affine_map<(d0) -> ((d0 * 4))>(%[[COUNT]]) to affine_map<(d0) -> (d0)>(%i)
  // CHECK-SAME:      iter_args(%{{.*}} = %[[OLD]])
  // CHECK-NEXT:      affine.load %l[%i, %j]
  // CHECK-NEXT:      affine.load %x[%j]
  // CHECK:         } {poly.loop = #poly.loop<no_vector, no_unroll>}
  // CHECK-NEXT:    affine.store %{{.*}}, %x[%i]
  func.func @forward(%n: index, %l: memref<?x?xf64>, %x: memref<?xf64>, %b: memref<?xf64>) {
    affine.for %i = 0 to %n {
      %bi = affine.load %b[%i] : memref<?xf64>
      affine.store %bi, %x[%i] : memref<?xf64>
      affine.for %j = 0 to %i {
        %lij = affine.load %l[%i, %j] : memref<?x?xf64>
        %xj = affine.load %x[%j] : memref<?xf64>
        %p = arith.mulf %lij, %xj fastmath<fast> : f64
        %old = affine.load %x[%i] : memref<?xf64>
        %new = arith.subf %old, %p fastmath<fast> : f64
        affine.store %new, %x[%i] : memref<?xf64>
      } {poly.loop = #poly.loop<reduces = ["x"], iterator = "j">}
    }
    func.return
  }

  // Back substitution: the first iteration of a row is the last one of it.
  // CHECK-LABEL: func.func @back
  // CHECK:         pvec.read %x
  // CHECK:         affine.for %j = affine_map<(d0, d1) -> ((d0 + (d1 * -1)))>(%n, %i) to
  // CHECK-NEXT:      affine.load %u[%n + %i * -1 + -1, {{.*}} + %j * -1 + -1]
  // CHECK:         } {poly.loop = #poly.loop<no_vector, no_unroll>}
  func.func @back(%n: index, %u: memref<?x?xf64>, %x: memref<?xf64>) {
    affine.for %i = 0 to %n {
      affine.for %j = affine_map<(d0)[s0] -> (s0 - d0)>(%i)[%n] to %n {
        %uij = affine.load %u[%n - %i - 1, %j] : memref<?x?xf64>
        %xj = affine.load %x[%j] : memref<?xf64>
        %p = arith.mulf %uij, %xj fastmath<fast> : f64
        %old = affine.load %x[%n - %i - 1] : memref<?xf64>
        %new = arith.subf %old, %p fastmath<fast> : f64
        affine.store %new, %x[%n - %i - 1] : memref<?xf64>
      } {poly.loop = #poly.loop<reduces = ["x"], iterator = "j">}
    }
    func.return
  }

  // A row that ends two elements before: by then it is in memory.
  // CHECK-LABEL: func.func @before
  // CHECK:         affine.for %{{.*}} step 4
  // CHECK:           vector.create_mask
  // CHECK-NOT:     no_vector
  func.func @before(%n: index, %l: memref<?x?xf64>, %x: memref<?xf64>) {
    affine.for %i = 2 to %n {
      affine.for %j = 0 to affine_map<(d0) -> (d0 - 2)>(%i) {
        %lij = affine.load %l[%i, %j] : memref<?x?xf64>
        %xj = affine.load %x[%j] : memref<?xf64>
        %p = arith.mulf %lij, %xj fastmath<fast> : f64
        %old = affine.load %x[%i] : memref<?xf64>
        %new = arith.subf %old, %p fastmath<fast> : f64
        affine.store %new, %x[%i] : memref<?xf64>
      } {poly.loop = #poly.loop<reduces = ["x"], iterator = "j">}
    }
    func.return
  }

  // Elements of another array than those that are stored.
  // CHECK-LABEL: func.func @others
  // CHECK:         affine.for %{{.*}} step 4
  // CHECK-NOT:     no_vector
  func.func @others(%n: index, %l: memref<?x?xf64>, %x: memref<?xf64>, %y: memref<?xf64>) {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %i {
        %lij = affine.load %l[%i, %j] : memref<?x?xf64>
        %yj = affine.load %y[%j] : memref<?xf64>
        %p = arith.mulf %lij, %yj fastmath<fast> : f64
        %old = affine.load %x[%i] : memref<?xf64>
        %new = arith.subf %old, %p fastmath<fast> : f64
        affine.store %new, %x[%i] : memref<?xf64>
      } {poly.loop = #poly.loop<reduces = ["x"], iterator = "j">}
    }
    func.return
  }
}
