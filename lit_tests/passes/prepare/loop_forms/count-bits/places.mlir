// Loops over the places of bits: all of them, some of them under a mask, a condition with a step, a sum in memory beside the number.
// RUN: polyopt-opt %s -p 'count-bits' | filecheck %s

func.func @all(%v : i32, %c : i64) -> i64 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = arith.constant 32 : i32
  cf.br ^head(%zero, %c : i32, i64)
^head(%b : i32, %d : i64):
  %t = arith.cmpi slt, %b, %end : i32
  cf.cond_br %t, ^body, ^exit(%d : i64)
^body:
  %x = arith.shrui %v, %b : i32
  %y = arith.andi %x, %one : i32
  %z = arith.extui %y : i32 to i64
  %e = arith.addi %d, %z : i64
  %n = arith.addi %b, %one : i32
  cf.br ^head(%n, %e : i32, i64)
^exit(%f : i64):
  func.return %f : i64
}

// CHECK-LABEL: func.func @all(
// CHECK:       ^head(%b: i32, %d: i64):
// CHECK:         [[N:%\d+]] = math.ctpop %v : i32
// CHECK-NEXT:    [[L:%\d+]] = arith.extui [[N]] : i32 to i64
// CHECK-NEXT:    [[S:%\S+]] = arith.addi %d, [[L]] : i64
// CHECK-NEXT:    cf.br ^exit([[S]] : i64)
// CHECK-NEXT:  ^exit(

func.func @under_a_mask(%x : memref<?xi32>, %i : index) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %first = arith.constant 11 : i32
  %last = arith.constant 4 : i32
  %c = memref.alloca() : memref<i32>
  memref.store %zero, %c[] : memref<i32>
  cf.br ^head(%first : i32)
^head(%b : i32):
  %t = arith.cmpi sge, %b, %last : i32
  cf.cond_br %t, ^body, ^exit
^body:
  %v = memref.load %x[%i] : memref<?xi32>
  %m = arith.shli %one, %b : i32
  %y = arith.andi %v, %m : i32
  %s = arith.cmpi ne, %y, %zero : i32
  cf.cond_br %s, ^then, ^latch
^then:
  %d = memref.load %c[] : memref<i32>
  %e = arith.addi %d, %three : i32
  memref.store %e, %c[] : memref<i32>
  cf.br ^latch
^latch:
  %n = arith.subi %b, %one : i32
  cf.br ^head(%n : i32)
^exit:
  %f = memref.load %c[] : memref<i32>
  %r = arith.addi %f, %b : i32
  func.return %r : i32
}

// CHECK-LABEL: func.func @under_a_mask(
// CHECK:       ^head(%b: i32):
// CHECK-NEXT:    [[LAST:%\S+]] = arith.constant 3 : i32
// CHECK-NEXT:    [[V:%\S+]] = memref.load %x[%i] : memref<?xi32>
// CHECK-NEXT:    [[MASK:%\S+]] = arith.constant 4080 : i32
// CHECK-NEXT:    [[M:%\S+]] = arith.andi [[V]], [[MASK]] : i32
// CHECK-NEXT:    [[N:%\S+]] = math.ctpop [[M]] : i32
// CHECK:         arith.muli [[N]],
// CHECK:         memref.store %{{.*}}, %c[] : memref<i32>
// CHECK-NEXT:    cf.br ^exit
// CHECK-NEXT:  ^exit:
// CHECK:         arith.addi %f, [[LAST]] : i32
