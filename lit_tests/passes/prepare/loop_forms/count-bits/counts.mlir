// Each trip count by its operation: bits that are set, the place of the highest, zeros below the lowest; sums in arguments of the
// header and in memory.
// RUN: polyopt-opt %s -p 'count-bits' | filecheck %s

func.func @ones(%v : i32, %c : i64, %k : i64) -> i64 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%v, %c : i32, i64)
^head(%w : i32, %d : i64):
  %t = arith.cmpi ne, %w, %zero : i32
  cf.cond_br %t, ^body, ^exit(%d : i64)
^body:
  %e = arith.subi %d, %k : i64
  %x = arith.subi %w, %one : i32
  %y = arith.andi %x, %w : i32
  cf.br ^head(%y, %e : i32, i64)
^exit(%f : i64):
  func.return %f : i64
}

// CHECK-LABEL: func.func @ones(
// CHECK:       ^head(%w: i32, %d: i64):
// CHECK-NEXT:    [[N:%\d+]] = math.ctpop %w : i32
// CHECK:         [[L:%\d+]] = arith.extui [[N]] : i32 to i64
// CHECK-NEXT:    [[M:%\d+]] = arith.muli [[L]], %k : i64
// CHECK-NEXT:    [[S:%\S+]] = arith.subi %d, [[M]] : i64
// CHECK-NEXT:    cf.br ^exit([[S]] : i64)
// CHECK-NEXT:  ^exit(

func.func @length_behind(%v : i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  cf.br ^head(%v, %zero : i64, i64)
^head(%w : i64, %c : i64):
  %d = arith.addi %c, %one : i64
  %x = arith.shrui %w, %one : i64
  %t = arith.cmpi eq, %x, %zero : i64
  cf.cond_br %t, ^exit(%d : i64), ^head(%x, %d : i64, i64)
^exit(%f : i64):
  func.return %f : i64
}

// CHECK-LABEL: func.func @length_behind(
// CHECK:       ^head(%w: i64, %c: i64):
// CHECK-NEXT:    [[W:%\d+]] = arith.constant 64 : i64
// CHECK-NEXT:    [[Z:%\d+]] = math.ctlz %w : i64
// CHECK-NEXT:    [[L:%\d+]] = arith.subi [[W]], [[Z]] : i64
// CHECK-NEXT:    [[O:%\d+]] = arith.constant 1 : i64
// CHECK-NEXT:    [[N:%\d+]] = arith.maxui [[L]], [[O]] : i64
// CHECK:         [[D:%\S+]] = arith.addi %c, [[N]] : i64
// CHECK-NEXT:    cf.br ^exit([[D]] : i64)
// CHECK-NEXT:  ^exit(

func.func @bits_in_memory(%v : i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c = memref.alloca() : memref<i32>
  memref.store %zero, %c[] : memref<i32>
  cf.br ^head(%v : i32)
^head(%w : i32):
  %t = arith.cmpi sgt, %w, %zero : i32
  cf.cond_br %t, ^body, ^exit
^body:
  %d = memref.load %c[] : memref<i32>
  %b = arith.remsi %w, %two : i32
  %e = arith.addi %b, %d : i32
  memref.store %e, %c[] : memref<i32>
  %x = arith.divsi %w, %two : i32
  cf.br ^head(%x : i32)
^exit:
  %f = memref.load %c[] : memref<i32>
  func.return %f : i32
}

// CHECK-LABEL: func.func @bits_in_memory(
// CHECK:       ^head(%w: i32):
// CHECK:         [[P:%\d+]] = arith.maxsi %w,
// CHECK-NEXT:    [[N:%\d+]] = math.ctpop [[P]] : i32
// CHECK:         %d = memref.load %c[] : memref<i32>
// CHECK-NEXT:    [[E:%\d+]] = arith.addi %d, [[N]] : i32
// CHECK-NEXT:    memref.store [[E]], %c[] : memref<i32>
// CHECK-NEXT:    cf.br ^exit
// CHECK-NEXT:  ^exit:

func.func @zeros_below(%v : i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%v : i32)
^head(%w : i32):
  %b = arith.andi %w, %one : i32
  %t = arith.cmpi eq, %b, %zero : i32
  cf.cond_br %t, ^body, ^exit
^body:
  %x = arith.shrsi %w, %one : i32
  cf.br ^head(%x : i32) {cmem.progress}
^exit:
  func.return %w : i32
}

// CHECK-LABEL: func.func @zeros_below(
// CHECK:         [[N:%\d+]] = math.cttz %w : i32
// CHECK-NEXT:    [[X:%\S+]] = arith.shrsi %w, [[N]] : i32
// CHECK-NEXT:    cf.br ^exit
// CHECK-NEXT:  ^exit:
// CHECK-NEXT:    func.return [[X]] : i32
