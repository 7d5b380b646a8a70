// A condition that chooses which half of an interval is halved next cannot be predicted, be it of a
// branch around variables, of one that passes values, or of a selection; others are left to LLVM.
// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s

func.func @in_variables(%a : memref<?xi32>, %n : i32, %x : i32) -> i32 {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %lo = memref.alloca() : memref<i32>
  %hi = memref.alloca() : memref<i32>
  memref.store %zero, %lo[] : memref<i32>
  memref.store %n, %hi[] : memref<i32>
  cf.br ^head
^head:
  %l = memref.load %lo[] : memref<i32>
  %h = memref.load %hi[] : memref<i32>
  %extent = arith.subi %h, %l : i32
  %many = arith.cmpi sgt, %extent, %two : i32
  cf.cond_br %many, ^body, ^out
^body:
  %half = arith.divsi %extent, %two : i32
  %mid = arith.addi %l, %half : i32
  %at = arith.index_cast %mid : i32 to index
  %e = memref.load %a[%at] : memref<?xi32>
  %is_left = arith.cmpi sle, %e, %x : i32
  cf.cond_br %is_left, ^left, ^right
^left:
  memref.store %mid, %lo[] : memref<i32>
  cf.br ^next
^right:
  memref.store %mid, %hi[] : memref<i32>
  cf.br ^next
^next:
  cf.br ^head
^out:
  func.return %l : i32
}

// CHECK-LABEL: define {{.*}} @in_variables
// CHECK:         br i1 %many, label %{{.*}}, label %{{[a-z0-9]*$}}
// CHECK:         br i1 %is_left, label %{{.*}}, label %{{.*}}, !unpredictable [[NODE:!.*]]

func.func @passed(%a : memref<?xf64>, %n : index, %x : f64) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  cf.br ^head(%zero, %n : index, index)
^head(%base : index, %length : index):
  %many = arith.cmpi sgt, %length, %one : index
  cf.cond_br %many, ^body, ^out
^body:
  %half = arith.shrui %length, %one : index
  %mid = arith.addi %base, %half : index
  %e = memref.load %a[%mid] : memref<?xf64>
  %is_right = arith.cmpf olt, %e, %x : f64
  %rest = arith.subi %length, %half : index
  cf.cond_br %is_right, ^right, ^next(%base, %half : index, index)
^right:
  cf.br ^next(%mid, %rest : index, index)
^next(%b : index, %l : index):
  cf.br ^head(%b, %l : index, index)
^out:
  func.return %base : index
}

// CHECK-LABEL: define {{.*}} @passed
// CHECK:         br i1 %is_right, label %{{.*}}, label %{{.*}}, !unpredictable [[NODE]]

func.func @selected(%a : memref<?xf64>, %n : index, %x : f64) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  cf.br ^head(%zero, %n : index, index)
^head(%base : index, %length : index):
  %many = arith.cmpi sgt, %length, %one : index
  cf.cond_br %many, ^body, ^out
^body:
  %half = arith.shrui %length, %one : index
  %mid = arith.addi %base, %half : index
  %e = memref.load %a[%mid] : memref<?xf64>
  %is_right = arith.cmpf olt, %e, %x : f64
  %next = arith.select %is_right, %mid, %base : index
  %rest = arith.subi %length, %half : index
  cf.br ^head(%next, %rest : index, index)
^out:
  func.return %base : index
}

// CHECK-LABEL: define {{.*}} @selected
// CHECK:         %next = select i1 %is_right, i64 %mid, i64 %base, !unpredictable [[NODE]]

func.func @narrowed(%n : i64, %square : i64) -> i64 {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  cf.br ^head(%zero, %n : i64, i64)
^head(%lo : i64, %hi : i64):
  %extent = arith.subi %hi, %lo : i64
  %many = arith.cmpi sge, %extent, %two : i64
  cf.cond_br %many, ^body, ^out
^body:
  %sum = arith.addi %lo, %hi : i64
  %mid = arith.divsi %sum, %two : i64
  %product = arith.muli %mid, %mid : i64
  %fits = arith.cmpi sle, %product, %square : i64
  %l = arith.select %fits, %mid, %lo : i64
  %h = arith.select %fits, %hi, %mid : i64
  cf.br ^head(%l, %h : i64, i64)
^out:
  func.return %lo : i64
}

// CHECK-LABEL: define {{.*}} @narrowed
// CHECK:         %l = select i1 %fits, i64 %mid, i64 %lo, !unpredictable [[NODE]]
// CHECK:         %h = select i1 %fits, i64 %hi, i64 %mid, !unpredictable [[NODE]]

func.func @by_bits(%n : i64, %x : i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  cf.br ^head(%n, %one, %x : i64, i64, i64)
^head(%rest : i64, %power : i64, %square : i64):
  %goes_on = arith.cmpi ne, %rest, %zero : i64
  cf.cond_br %goes_on, ^body, ^out
^body:
  %bit = arith.andi %rest, %one : i64
  %is_odd = arith.cmpi ne, %bit, %zero : i64
  %product = arith.muli %power, %square : i64
  %next = arith.select %is_odd, %product, %power : i64
  %twice = arith.muli %square, %square : i64
  %half = arith.shrui %rest, %one : i64
  cf.br ^head(%half, %next, %twice : i64, i64, i64)
^out:
  func.return %power : i64
}

// CHECK-LABEL: define {{.*}} @by_bits
// CHECK-NOT:     unpredictable
// CHECK:       }
// CHECK:         [[NODE]] = !{}
