// RUN: polyopt-opt %s -p scan-records | filecheck %s

// Loops that may not look ahead, or would gain nothing by it, stay what they are.

// CHECK-NOT: cmem.seldom

// An iteration to come would load what the loop may never load: where it looks depends on where the
// best was found.
func.func @window(%a: memref<?xf32>, %n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^header(%zero, %one : i32, i32)
^header(%at: i32, %i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %o = arith.addi %i, %at : i32
  %r = arith.index_cast %o : i32 to index
  %y = memref.load %a[%r] : memref<?xf32>
  %p = arith.index_cast %i : i32 to index
  %x = memref.load %a[%p] : memref<?xf32>
  %q = arith.index_cast %at : i32 to index
  %m = memref.load %a[%q] : memref<?xf32>
  %beats = arith.cmpf ogt, %x, %m : f32
  cf.cond_br %beats, ^found, ^latch(%at : i32)
^found:
  cf.br ^latch(%i : i32)
^latch(%at_2: i32):
  %i_2 = arith.addi %i, %one overflow<nsw> : i32
  cf.br ^header(%at_2, %i_2 : i32, i32)
^exit:
  func.return %at : i32
}

// Each element stands for itself: nothing is kept from iteration to iteration.
func.func @elementwise(%a: memref<?xf32>, %b: memref<?xf32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^header(%zero : i32)
^header(%i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %p = arith.index_cast %i : i32 to index
  %x = memref.load %a[%p] : memref<?xf32>
  %m = memref.load %b[%p] : memref<?xf32>
  %beats = arith.cmpf ogt, %x, %m : f32
  cf.cond_br %beats, ^found, ^latch
^found:
  memref.store %x, %b[%p] : memref<?xf32>
  cf.br ^latch
^latch:
  %i_2 = arith.addi %i, %one overflow<nsw> : i32
  cf.br ^header(%i_2 : i32)
^exit:
  func.return
}

// What is counted beside the counter would stand still.
func.func @two_counters(%a: memref<?xi32>, %n: i32, %first: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^header(%first, %zero, %zero, %zero : i32, i32, i32, i32)
^header(%m: i32, %at: i32, %i: i32, %j: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %p = arith.index_cast %j : i32 to index
  %x = memref.load %a[%p] : memref<?xi32>
  %beats = arith.cmpi sgt, %x, %m : i32
  cf.cond_br %beats, ^found, ^latch(%m, %at : i32, i32)
^found:
  cf.br ^latch(%x, %j : i32, i32)
^latch(%m_2: i32, %at_2: i32):
  %i_2 = arith.addi %i, %one overflow<nsw> : i32
  %j_2 = arith.addi %j, %one overflow<nsw> : i32
  cf.br ^header(%m_2, %at_2, %i_2, %j_2 : i32, i32, i32, i32)
^exit:
  func.return %at : i32
}

// A hundred iterations are soon run; equal elements would be found again and again.
func.func @few_or_equal(%a: memref<?xi32>, %n: i32, %first: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %few = arith.constant 100 : i32
  cf.br ^header(%first, %zero, %zero : i32, i32, i32)
^header(%m: i32, %at: i32, %i: i32):
  %more = arith.cmpi slt, %i, %few : i32
  cf.cond_br %more, ^body, ^second(%m, %zero : i32, i32)
^body:
  %p = arith.index_cast %i : i32 to index
  %x = memref.load %a[%p] : memref<?xi32>
  %beats = arith.cmpi sgt, %x, %m : i32
  cf.cond_br %beats, ^found, ^latch(%m, %at : i32, i32)
^found:
  cf.br ^latch(%x, %i : i32, i32)
^latch(%m_2: i32, %at_2: i32):
  %i_2 = arith.addi %i, %one overflow<nsw> : i32
  cf.br ^header(%m_2, %at_2, %i_2 : i32, i32, i32)
^second(%k: i32, %j: i32):
  %again = arith.cmpi slt, %j, %n : i32
  cf.cond_br %again, ^body_2, ^exit
^body_2:
  %q = arith.index_cast %j : i32 to index
  %y = memref.load %a[%q] : memref<?xi32>
  %not_less = arith.cmpi sge, %y, %k : i32
  cf.cond_br %not_less, ^found_2, ^latch_2(%k : i32)
^found_2:
  cf.br ^latch_2(%y : i32)
^latch_2(%k_2: i32):
  %j_2 = arith.addi %j, %one overflow<nsw> : i32
  cf.br ^second(%k_2, %j_2 : i32, i32)
^exit:
  func.return %at : i32
}

// Elements of a column are not loaded as vectors: to look at them twice takes longer.
func.func @column(%a: memref<?x400xf64>, %n: i32, %k: index) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %first = arith.constant 0.0 : f64
  cf.br ^header(%first, %zero, %zero : f64, i32, i32)
^header(%m: f64, %at: i32, %i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %p = arith.index_cast %i : i32 to index
  %x = memref.load %a[%p, %k] : memref<?x400xf64>
  %beats = arith.cmpf ogt, %x, %m : f64
  cf.cond_br %beats, ^found, ^latch(%m, %at : f64, i32)
^found:
  cf.br ^latch(%x, %i : f64, i32)
^latch(%m_2: f64, %at_2: i32):
  %i_2 = arith.addi %i, %one overflow<nsw> : i32
  cf.br ^header(%m_2, %at_2, %i_2 : f64, i32, i32)
^exit:
  func.return %at : i32
}

// What the rest of a search loads is not loaded by each iteration.
func.func @in_the_rest(%a: memref<?xi32>, %b: memref<?xi32>, %n: i32, %first: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^header(%first, %first, %zero : i32, i32, i32)
^header(%m: i32, %k: i32, %i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %p = arith.index_cast %i : i32 to index
  %x = memref.load %a[%p] : memref<?xi32>
  %beats = arith.cmpi sgt, %x, %m : i32
  cf.cond_br %beats, ^found, ^rest
^found:
  cf.br ^latch(%x, %k : i32, i32)
^rest:
  %y = memref.load %b[%p] : memref<?xi32>
  %beats_2 = arith.cmpi sgt, %y, %k : i32
  cf.cond_br %beats_2, ^found_2, ^join(%k : i32)
^found_2:
  cf.br ^join(%y : i32)
^join(%k_2: i32):
  cf.br ^latch(%m, %k_2 : i32, i32)
^latch(%m_3: i32, %k_3: i32):
  %i_2 = arith.addi %i, %one overflow<nsw> : i32
  cf.br ^header(%m_3, %k_3, %i_2 : i32, i32, i32)
^exit:
  %sum = arith.addi %m, %k : i32
  func.return %sum : i32
}
