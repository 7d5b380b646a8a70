// Of a branch that finds a record LLVM is told that it is hardly ever taken, or it would make a selection
// of it, and each iteration would wait for the one before. Not of minima and maxima that it has vectors
// for, not in short loops, and not where the best value of a loop in another stays in a variable: each
// search begins anew, what it finds first is better and better, and a selection waits for no load.
// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s

// CHECK-LABEL: define dso_local i32 @place
// CHECK:         br i1 %beats, label {{%\w+}}, label {{%\w+}}, !prof [[SELDOM:!\d+]]
func.func @place(%a: memref<?xf32>, %n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^header(%zero, %one : i32, i32)
^header(%at: i32, %i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
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

// CHECK-LABEL: define dso_local i32 @greatest
// CHECK:         br i1 %beats, label {{%\w+}}, label {{%\w+}}{{$}}
func.func @greatest(%a: memref<?xi32>, %n: i32, %first: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^header(%first, %zero : i32, i32)
^header(%m: i32, %i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %p = arith.index_cast %i : i32 to index
  %x = memref.load %a[%p] : memref<?xi32>
  %beats = arith.cmpi sgt, %x, %m : i32
  cf.cond_br %beats, ^found, ^latch(%m : i32)
^found:
  cf.br ^latch(%x : i32)
^latch(%m_2: i32):
  %i_2 = arith.addi %i, %one overflow<nsw> : i32
  cf.br ^header(%m_2, %i_2 : i32, i32)
^exit:
  func.return %m : i32
}

// CHECK-LABEL: define dso_local i32 @of_eight
// CHECK:         br i1 %beats, label {{%\w+}}, label {{%\w+}}{{$}}
func.func @of_eight(%a: memref<?xi32>, %first: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %eight = arith.constant 8 : i32
  cf.br ^header(%first, %zero, %zero : i32, i32, i32)
^header(%m: i32, %at: i32, %i: i32):
  %more = arith.cmpi slt, %i, %eight : i32
  cf.cond_br %more, ^body, ^exit
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
^exit:
  func.return %at : i32
}

// CHECK-LABEL: define dso_local void @least_of_rows
// CHECK:         br i1 %beats, label {{%\w+}}, label {{%\w+}}{{$}}
func.func @least_of_rows(%a: memref<?x100xf64>, %places: memref<?xi32>, %n: i32, %first: f64) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^rows(%zero : i32)
^rows(%r: i32):
  %more_rows = arith.cmpi slt, %r, %n : i32
  cf.cond_br %more_rows, ^row, ^exit
^row:
  %row = arith.index_cast %r : i32 to index
  cf.br ^header(%first, %zero, %zero : f64, i32, i32)
^header(%m: f64, %at: i32, %i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^after
^body:
  %p = arith.index_cast %i : i32 to index
  %x = memref.load %a[%row, %p] : memref<?x100xf64>
  %beats = arith.cmpf olt, %x, %m : f64
  cf.cond_br %beats, ^found, ^latch(%m, %at : f64, i32)
^found:
  cf.br ^latch(%x, %i : f64, i32)
^latch(%m_2: f64, %at_2: i32):
  %i_2 = arith.addi %i, %one overflow<nsw> : i32
  cf.br ^header(%m_2, %at_2, %i_2 : f64, i32, i32)
^after:
  memref.store %at, %places[%row] : memref<?xi32>
  %r_2 = arith.addi %r, %one overflow<nsw> : i32
  cf.br ^rows(%r_2 : i32)
^exit:
  func.return
}

// CHECK: [[SELDOM]] = !{!"branch_weights", i32 1, i32 2000}
