// An element between two that are loaded in any case may be loaded too; one beyond them, or between
// elements of rows whose length is not known, may not.
// RUN: polyopt-opt %s -p if-convert | filecheck %s

func.func @between(%A: memref<?x8xf64>, %i: i32, %j: i32, %x: f64) -> f64 {
  %c1 = arith.constant 1 : i32
  %up = arith.subi %i, %c1 overflow<nsw> : i32
  %down = arith.addi %i, %c1 overflow<nsw> : i32
  %iu = arith.index_cast %up : i32 to index
  %id = arith.index_cast %down : i32 to index
  %ii = arith.index_cast %i : i32 to index
  %jj = arith.index_cast %j : i32 to index
  %a = memref.load %A[%iu, %jj] : memref<?x8xf64>
  %b = memref.load %A[%id, %jj] : memref<?x8xf64>
  %s = arith.addf %a, %b : f64
  %less = arith.cmpf olt, %s, %x : f64
  cf.cond_br %less, ^then, ^join(%s : f64)
^then:
  %m = memref.load %A[%ii, %jj] : memref<?x8xf64>
  cf.br ^join(%m : f64)
^join(%r: f64):
  func.return %r : f64
}

// CHECK-LABEL: func.func @between
// CHECK-NOT:     cf.cond_br
// CHECK:         [[M:%.*]] = memref.load %A[%ii, %jj]
// CHECK-NEXT:    arith.select %less, [[M]], %s

func.func @beyond(%A: memref<?xf64>, %j: i32, %x: f64) -> f64 {
  %c1 = arith.constant 1 : i32
  %next = arith.addi %j, %c1 overflow<nsw> : i32
  %far = arith.addi %next, %c1 overflow<nsw> : i32
  %j0 = arith.index_cast %j : i32 to index
  %j1 = arith.index_cast %next : i32 to index
  %j2 = arith.index_cast %far : i32 to index
  %a = memref.load %A[%j0] : memref<?xf64>
  %b = memref.load %A[%j1] : memref<?xf64>
  %s = arith.addf %a, %b : f64
  %less = arith.cmpf olt, %s, %x : f64
  cf.cond_br %less, ^then, ^join(%s : f64)
^then:
  %m = memref.load %A[%j2] : memref<?xf64>
  cf.br ^join(%m : f64)
^join(%r: f64):
  func.return %r : f64
}

// CHECK-LABEL: func.func @beyond
// CHECK:         cf.cond_br

func.func @rows_of_any_length(%A: memref<?x?xf64>, %i: i32, %j: i32, %x: f64) -> f64 {
  %c1 = arith.constant 1 : i32
  %up = arith.subi %i, %c1 overflow<nsw> : i32
  %down = arith.addi %i, %c1 overflow<nsw> : i32
  %iu = arith.index_cast %up : i32 to index
  %id = arith.index_cast %down : i32 to index
  %ii = arith.index_cast %i : i32 to index
  %jj = arith.index_cast %j : i32 to index
  %a = memref.load %A[%iu, %jj] : memref<?x?xf64>
  %b = memref.load %A[%id, %jj] : memref<?x?xf64>
  %s = arith.addf %a, %b : f64
  %less = arith.cmpf olt, %s, %x : f64
  cf.cond_br %less, ^then, ^join(%s : f64)
^then:
  %m = memref.load %A[%ii, %jj] : memref<?x?xf64>
  cf.br ^join(%m : f64)
^join(%r: f64):
  func.return %r : f64
}

// CHECK-LABEL: func.func @rows_of_any_length
// CHECK:         cf.cond_br
