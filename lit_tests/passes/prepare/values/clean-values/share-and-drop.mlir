// RUN: polyopt-opt %s -p clean-values | filecheck %s

// Equal views and casts are computed once where one dominates the other; siblings do not see each
// other's values; what nobody uses goes, stores and calls stay.

func.func private @observe(i32) -> ()

func.func @f(%p: !llvm.ptr, %n: i32, %c: i1) {
  %a = arith.index_cast %n : i32 to index
  %v = cmem.view %p[%a] : memref<?x?xf64>
  cf.cond_br %c, ^left, ^right
^left:
  %b = arith.index_cast %n : i32 to index
  %w = cmem.view %p[%b] : memref<?x?xf64>
  %x = memref.load %v[%a, %b] : memref<?x?xf64>
  memref.store %x, %w[%b, %a] : memref<?x?xf64>
  %d = arith.addi %n, %n : i32
  func.call @observe(%d) : (i32) -> ()
  cf.br ^join
^right:
  %e = arith.addi %n, %n : i32
  %unused = memref.load %v[%a, %a] : memref<?x?xf64>
  %also = arith.addf %unused, %unused : f64
  func.call @observe(%e) : (i32) -> ()
  cf.br ^join
^join:
  func.return
}

// CHECK-LABEL: func.func @f
// CHECK-NEXT:    %[[A:.*]] = arith.index_cast
// CHECK-NEXT:    %[[V:.*]] = cmem.view %p[%[[A]]]
// CHECK-NEXT:    cf.cond_br
// CHECK-NEXT:  ^{{.*}}:
// CHECK-NEXT:    %[[X:.*]] = memref.load %[[V]][%[[A]], %[[A]]]
// CHECK-NEXT:    memref.store %[[X]], %[[V]][%[[A]], %[[A]]]
// CHECK-NEXT:    %[[D:.*]] = arith.addi %n, %n
// CHECK-NEXT:    func.call @observe(%[[D]])
// CHECK-NEXT:    cf.br
// CHECK-NEXT:  ^{{.*}}:
// CHECK-NEXT:    %[[E:.*]] = arith.addi %n, %n
// CHECK-NEXT:    func.call @observe(%[[E]])
// CHECK-NEXT:    cf.br

// A load is shared until something might be stored.
func.func @loads(%A: memref<?xf64>, %B: memref<?xf64>, %i: index) {
  %x = memref.load %A[%i] : memref<?xf64>
  %y = memref.load %B[%i] : memref<?xf64>
  %z = memref.load %A[%i] : memref<?xf64>
  %s = arith.mulf %x, %z : f64
  memref.store %s, %B[%i] : memref<?xf64>
  %w = memref.load %A[%i] : memref<?xf64>
  %t = arith.mulf %w, %y : f64
  memref.store %t, %B[%i] : memref<?xf64>
  func.return
}

// CHECK-LABEL: func.func @loads
// CHECK-NEXT:    %x = memref.load %A[%i]
// CHECK-NEXT:    %y = memref.load %B[%i]
// CHECK-NEXT:    %s = arith.mulf %x, %x
// CHECK-NEXT:    memref.store %s, %B[%i]
// CHECK-NEXT:    %w = memref.load %A[%i]
// CHECK-NEXT:    %t = arith.mulf %w, %y
// CHECK-NEXT:    memref.store %t, %B[%i]
// CHECK-NEXT:    func.return
