// At the edges: counters that go in opposite directions, that are equal in all iterations, of two
// widths, and one that counts in some iterations only.
// RUN: polyopt-opt %s -p 'merge-counters' | filecheck %s

// Equal at no iteration, as far as anybody knows.
func.func @opposite(%n : i32, %A : memref<?xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero, %n : i32, i32)
^head(%i : i32, %k : i32):
  %c = arith.cmpi slt, %i, %n : i32
  cf.cond_br %c, ^body, ^exit
^body:
  %x = arith.index_cast %k : i32 to index
  memref.store %i, %A[%x] : memref<?xi32>
  %j = arith.addi %i, %one overflow<nsw> : i32
  %l = arith.subi %k, %one overflow<nsw> : i32
  cf.br ^head(%j, %l : i32, i32)
^exit:
  func.return
}

// CHECK-LABEL: func.func @opposite(
// CHECK-NEXT:    %zero = arith.constant 0 : i32
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    cf.br ^head(%zero, %n : i32, i32)
// CHECK-NEXT:  ^head(%i: i32, %k: i32):
// CHECK-NEXT:    %c = arith.cmpi slt, %i, %n : i32
// CHECK-NEXT:    cf.cond_br %c, ^body, ^exit
// CHECK-NEXT:  ^body:
// CHECK-NEXT:    %x = arith.index_cast %k : i32 to index
// CHECK-NEXT:    memref.store %i, %A[%x] : memref<?xi32>
// CHECK-NEXT:    %j = arith.addi %i, %one overflow<nsw> : i32
// CHECK-NEXT:    %l = arith.subi %k, %one overflow<nsw> : i32
// CHECK-NEXT:    cf.br ^head(%j, %l : i32, i32)
// CHECK-NEXT:  ^exit:
// CHECK-NEXT:    func.return

func.func @same(%n : i32, %A : memref<?xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero, %zero : i32, i32)
^head(%i : i32, %k : i32):
  %c = arith.cmpi slt, %i, %n : i32
  cf.cond_br %c, ^body, ^exit
^body:
  %x = arith.index_cast %k : i32 to index
  memref.store %i, %A[%x] : memref<?xi32>
  %j = arith.addi %i, %one overflow<nsw> : i32
  %l = arith.addi %k, %one overflow<nsw> : i32
  cf.br ^head(%j, %l : i32, i32)
^exit:
  func.return
}

// CHECK-LABEL: func.func @same(
// CHECK-NEXT:    %zero = arith.constant 0 : i32
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    cf.br ^head(%zero : i32)
// CHECK-NEXT:  ^head(%i: i32):
// CHECK-NEXT:    %c = arith.cmpi slt, %i, %n : i32
// CHECK-NEXT:    cf.cond_br %c, ^body, ^exit
// CHECK-NEXT:  ^body:
// CHECK-NEXT:    %x = arith.index_cast %i : i32 to index
// CHECK-NEXT:    memref.store %i, %A[%x] : memref<?xi32>
// CHECK-NEXT:    %j = arith.addi %i, %one overflow<nsw> : i32
// CHECK-NEXT:    cf.br ^head(%j : i32)
// CHECK-NEXT:  ^exit:
// CHECK-NEXT:    func.return

// Merging would cost a conversion in each iteration.
func.func @widths(%n : i32, %A : memref<?xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %wide_zero = arith.constant 0 : i64
  %wide_one = arith.constant 1 : i64
  cf.br ^head(%zero, %wide_zero : i32, i64)
^head(%i : i32, %k : i64):
  %c = arith.cmpi slt, %i, %n : i32
  cf.cond_br %c, ^body, ^exit
^body:
  %x = arith.index_cast %k : i64 to index
  memref.store %i, %A[%x] : memref<?xi32>
  %j = arith.addi %i, %one overflow<nsw> : i32
  %l = arith.addi %k, %wide_one overflow<nsw> : i64
  cf.br ^head(%j, %l : i32, i64)
^exit:
  func.return
}

// CHECK-LABEL: func.func @widths(
// CHECK-NEXT:    %zero = arith.constant 0 : i32
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    %wide_zero = arith.constant 0 : i64
// CHECK-NEXT:    %wide_one = arith.constant 1 : i64
// CHECK-NEXT:    cf.br ^head(%zero, %wide_zero : i32, i64)
// CHECK-NEXT:  ^head(%i: i32, %k: i64):
// CHECK-NEXT:    %c = arith.cmpi slt, %i, %n : i32
// CHECK-NEXT:    cf.cond_br %c, ^body, ^exit
// CHECK-NEXT:  ^body:
// CHECK-NEXT:    %x = arith.index_cast %k : i64 to index
// CHECK-NEXT:    memref.store %i, %A[%x] : memref<?xi32>
// CHECK-NEXT:    %j = arith.addi %i, %one overflow<nsw> : i32
// CHECK-NEXT:    %l = arith.addi %k, %wide_one overflow<nsw> : i64
// CHECK-NEXT:    cf.br ^head(%j, %l : i32, i64)
// CHECK-NEXT:  ^exit:
// CHECK-NEXT:    func.return

func.func @conditional(%n : i32, %A : memref<?xi32>, %d : i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero, %zero : i32, i32)
^head(%i : i32, %k : i32):
  %c = arith.cmpi slt, %i, %n : i32
  cf.cond_br %c, ^body, ^exit
^body:
  %x = arith.index_cast %k : i32 to index
  memref.store %i, %A[%x] : memref<?xi32>
  %j = arith.addi %i, %one overflow<nsw> : i32
  %m = arith.addi %k, %one overflow<nsw> : i32
  %l = arith.select %d, %m, %k : i32
  cf.br ^head(%j, %l : i32, i32)
^exit:
  func.return
}

// CHECK-LABEL: func.func @conditional(
// CHECK-NEXT:    %zero = arith.constant 0 : i32
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    cf.br ^head(%zero, %zero : i32, i32)
// CHECK-NEXT:  ^head(%i: i32, %k: i32):
// CHECK-NEXT:    %c = arith.cmpi slt, %i, %n : i32
// CHECK-NEXT:    cf.cond_br %c, ^body, ^exit
// CHECK-NEXT:  ^body:
// CHECK-NEXT:    %x = arith.index_cast %k : i32 to index
// CHECK-NEXT:    memref.store %i, %A[%x] : memref<?xi32>
// CHECK-NEXT:    %j = arith.addi %i, %one overflow<nsw> : i32
// CHECK-NEXT:    %m = arith.addi %k, %one overflow<nsw> : i32
// CHECK-NEXT:    %l = arith.select %d, %m, %k : i32
// CHECK-NEXT:    cf.br ^head(%j, %l : i32, i32)
// CHECK-NEXT:  ^exit:
// CHECK-NEXT:    func.return
