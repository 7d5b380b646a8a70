// At the edges: a variable that nobody reads, one whose address is taken, one that is set in one
// arm only, one of a loop that may not run, one that nobody has set.
// RUN: polyopt-opt %s -p 'promote-scalars{all=true}' | filecheck %s

func.func private @take(memref<f64>) -> ()

func.func @never_read(%x : f64) {
  %v = memref.alloca() : memref<f64>
  memref.store %x, %v[] : memref<f64>
  func.return
}

// CHECK-LABEL: func.func @never_read(
// CHECK-NEXT:    func.return

// Whoever has the address may set it.
func.func @address(%x : f64) -> f64 {
  %v = memref.alloca() : memref<f64>
  memref.store %x, %v[] : memref<f64>
  func.call @take(%v) : (memref<f64>) -> ()
  %y = memref.load %v[] : memref<f64>
  func.return %y : f64
}

// CHECK-LABEL: func.func @address(
// CHECK-NEXT:    %v = memref.alloca() : memref<f64>
// CHECK-NEXT:    memref.store %x, %v[] : memref<f64>
// CHECK-NEXT:    func.call @take(%v) : (memref<f64>) -> ()
// CHECK-NEXT:    %y = memref.load %v[] : memref<f64>
// CHECK-NEXT:    func.return %y : f64

func.func @one_arm(%x : f64, %y : f64, %c : i1) -> f64 {
  %v = memref.alloca() : memref<f64>
  memref.store %x, %v[] : memref<f64>
  cf.cond_br %c, ^then, ^join
^then:
  memref.store %y, %v[] : memref<f64>
  cf.br ^join
^join:
  %z = memref.load %v[] : memref<f64>
  func.return %z : f64
}

// CHECK-LABEL: func.func @one_arm(
// CHECK-NEXT:    cf.cond_br %c, ^then, ^join(%x : f64)
// CHECK-NEXT:  ^then:
// CHECK-NEXT:    cf.br ^join(%y : f64)
// CHECK-NEXT:  ^join(%v: f64):
// CHECK-NEXT:    func.return %v : f64

// The value in front of the loop arrives at its end, too.
func.func @may_not_run(%x : f64, %y : f64, %n : i32) -> f64 {
  %v = memref.alloca() : memref<f64>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  memref.store %x, %v[] : memref<f64>
  cf.br ^head(%zero : i32)
^head(%i : i32):
  %c = arith.cmpi slt, %i, %n : i32
  cf.cond_br %c, ^body, ^exit
^body:
  memref.store %y, %v[] : memref<f64>
  %j = arith.addi %i, %one : i32
  cf.br ^head(%j : i32)
^exit:
  %z = memref.load %v[] : memref<f64>
  func.return %z : f64
}

// CHECK-LABEL: func.func @may_not_run(
// CHECK-NEXT:    %zero = arith.constant 0 : i32
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    cf.br ^head(%zero, %x : i32, f64)
// CHECK-NEXT:  ^head(%i: i32, %v: f64):
// CHECK-NEXT:    %c = arith.cmpi slt, %i, %n : i32
// CHECK-NEXT:    cf.cond_br %c, ^body, ^exit
// CHECK-NEXT:  ^body:
// CHECK-NEXT:    %j = arith.addi %i, %one : i32
// CHECK-NEXT:    cf.br ^head(%j, %y : i32, f64)
// CHECK-NEXT:  ^exit:
// CHECK-NEXT:    func.return %v : f64

// C gives it no value.
func.func @before_set() -> f64 {
  %v = memref.alloca() : memref<f64>
  %z = memref.load %v[] : memref<f64>
  func.return %z : f64
}

// CHECK-LABEL: func.func @before_set(
// CHECK-NEXT:    %z = ub.poison : f64
// CHECK-NEXT:    func.return %z : f64
