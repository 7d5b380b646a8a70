// A condition on what a variable has come to be by data is a choice; what both arms load is loaded
// once, though each has stored something else before. One on a counter stays a branch, and so does
// one on what an outermost loop carries, through all of whose iterations a choice would wait.
// RUN: polyopt-opt %s -p if-convert | filecheck %s

func.func @turned(%table : memref<16xi32> {llvm.noalias}, %from : memref<?xi32>, %n : index) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : index
  %start = arith.constant 0 : index
  %end = arith.constant 16 : index
  %x = memref.alloca() : memref<i32>
  cf.br ^around(%start : index)
^around(%i : index):
  %rest = arith.cmpi slt, %i, %n : index
  cf.cond_br %rest, ^begin, ^out
^begin:
  memref.store %zero, %x[] : memref<i32>
  %first = memref.load %from[%i] : memref<?xi32>
  cf.br ^head(%first, %start : i32, index)
^head(%z : i32, %k : index):
  %more = arith.cmpi slt, %k, %end : index
  cf.cond_br %more, ^body, ^end
^body:
  %up = arith.cmpi sge, %z, %zero : i32
  cf.cond_br %up, ^then, ^else
^then:
  %a = memref.load %x[] : memref<i32>
  %b = arith.subi %a, %z : i32
  memref.store %b, %x[] : memref<i32>
  %t = memref.load %table[%k] : memref<16xi32>
  %y = arith.subi %z, %t : i32
  cf.br ^join(%y : i32)
^else:
  %c = memref.load %x[] : memref<i32>
  %d = arith.addi %c, %z : i32
  memref.store %d, %x[] : memref<i32>
  %u = memref.load %table[%k] : memref<16xi32>
  %v = arith.addi %z, %u : i32
  cf.br ^join(%v : i32)
^join(%w : i32):
  %next = arith.addi %k, %one : index
  cf.br ^head(%w, %next : i32, index)
^end:
  %last = arith.addi %i, %one : index
  cf.br ^around(%last : index)
^out:
  func.return
}

// CHECK-LABEL: func.func @turned
// CHECK:         %up = arith.cmpi sge
// CHECK-NOT:     cf.cond_br
// CHECK:         memref.load %table[%k]
// CHECK-NOT:     memref.load %table
// CHECK:         arith.select %up
// CHECK:         cf.br ^{{.*}}(%{{.*}}, %next : i32, index)

func.func @counted(%a : memref<?xi32>, %b : memref<?xi32>, %n : index, %m : index) {
  %one = arith.constant 1 : index
  %start = memref.load %b[%m] : memref<?xi32>
  %from = arith.index_cast %start : i32 to index
  cf.br ^head(%from : index)
^head(%k : index):
  %more = arith.cmpi slt, %k, %n : index
  cf.cond_br %more, ^body, ^out
^body:
  %low = arith.cmpi slt, %k, %m : index
  cf.cond_br %low, ^then, ^join
^then:
  memref.store %start, %a[%k] : memref<?xi32>
  cf.br ^join
^join:
  %next = arith.addi %k, %one : index
  cf.br ^head(%next : index)
^out:
  func.return
}

// CHECK-LABEL: func.func @counted
// CHECK:         %low = arith.cmpi slt
// CHECK-NEXT:    cf.cond_br %low

func.func @hysteresis(%a : memref<?xf32>, %b : memref<?xi32>, %n : index, %low : f32, %high : f32) {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %one = arith.constant 1 : index
  %start = arith.constant 0 : index
  cf.br ^head(%zero, %start : i32, index)
^head(%s : i32, %k : index):
  %more = arith.cmpi slt, %k, %n : index
  cf.cond_br %more, ^body, ^out
^body:
  %x = memref.load %a[%k] : memref<?xf32>
  %is_off = arith.cmpi eq, %s, %zero : i32
  cf.cond_br %is_off, ^off, ^on
^off:
  %up = arith.cmpf ogt, %x, %high : f32
  %t = arith.select %up, %two, %zero : i32
  memref.store %t, %b[%k] : memref<?xi32>
  cf.br ^join(%t : i32)
^on:
  %down = arith.cmpf olt, %x, %low : f32
  %u = arith.select %down, %zero, %two : i32
  memref.store %u, %b[%k] : memref<?xi32>
  cf.br ^join(%u : i32)
^join(%w : i32):
  %next = arith.addi %k, %one : index
  cf.br ^head(%w, %next : i32, index)
^out:
  func.return
}

// CHECK-LABEL: func.func @hysteresis
// CHECK:         %is_off = arith.cmpi eq
// CHECK-NEXT:    cf.cond_br %is_off
