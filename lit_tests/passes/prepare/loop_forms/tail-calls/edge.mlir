// At the edges: arguments that change places, a function that does nothing but call itself, no
// result, a result of another kind, and the call of another function.
// RUN: polyopt-opt %s -p 'tail-calls' | filecheck %s

// All arguments change at once.
func.func @swapped(%n : i32, %a : i32, %b : i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c = arith.cmpi eq, %n, %zero : i32
  cf.cond_br %c, ^end, ^again
^end:
  func.return %a : i32
^again:
  %m = arith.subi %n, %one : i32
  %r = func.call @swapped(%m, %b, %a) : (i32, i32, i32) -> i32
  func.return %r : i32
}

// CHECK-LABEL: func.func @swapped(
// CHECK-NEXT:    cf.br ^bb1(%n, %a, %b : i32, i32, i32)
// CHECK-NEXT:  ^bb1(%n_1: i32, %a_1: i32, %b_1: i32):
// CHECK-NEXT:    %zero = arith.constant 0 : i32
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    %c = arith.cmpi eq, %n_1, %zero : i32
// CHECK-NEXT:    cf.cond_br %c, ^end, ^again
// CHECK-NEXT:  ^end:
// CHECK-NEXT:    func.return %a_1 : i32
// CHECK-NEXT:  ^again:
// CHECK-NEXT:    %m = arith.subi %n_1, %one : i32
// CHECK-NEXT:    cf.br ^bb1(%m, %b_1, %a_1 : i32, i32, i32)

func.func @always(%n : i32) -> i32 {
  %r = func.call @always(%n) : (i32) -> i32
  func.return %r : i32
}

// CHECK-LABEL: func.func @always(
// CHECK-NEXT:    cf.br ^bb1(%n : i32)
// CHECK-NEXT:  ^bb1(%n_1: i32):
// CHECK-NEXT:    cf.br ^bb1(%n_1 : i32)

func.func @other(%n : i32) -> i32 {
  %r = func.call @always(%n) : (i32) -> i32
  func.return %r : i32
}

// CHECK-LABEL: func.func @other(
// CHECK-NEXT:    %r = func.call @always(%n) : (i32) -> i32
// CHECK-NEXT:    func.return %r : i32

// What is returned is not what the call gives.
func.func @another_result(%n : i32) -> i32 {
  %r = func.call @another_result(%n) : (i32) -> i32
  func.return %n : i32
}

// CHECK-LABEL: func.func @another_result(
// CHECK-NEXT:    %r = func.call @another_result(%n) : (i32) -> i32
// CHECK-NEXT:    func.return %n : i32

func.func @void(%n : i32) {
  func.call @void(%n) : (i32) -> ()
  func.return
}

// CHECK-LABEL: func.func @void(
// CHECK-NEXT:    cf.br ^bb1(%n : i32)
// CHECK-NEXT:  ^bb1(%n_1: i32):
// CHECK-NEXT:    cf.br ^bb1(%n_1 : i32)
