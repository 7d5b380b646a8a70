// At the edges: a function that calls itself, one without operations, results that change places.
// RUN: polyopt-opt %s -p 'inline-calls' | filecheck %s

func.func private @itself(%a : i32) -> i32 {
  %r = func.call @itself(%a) : (i32) -> i32
  func.return %r : i32
}

// CHECK-LABEL: @itself(
// CHECK-NEXT:    %r = func.call @itself(%a) : (i32) -> i32
// CHECK-NEXT:    func.return %r : i32

func.func private @nothing() {
  func.return
}

// CHECK-LABEL: @nothing(
// CHECK-NEXT:    func.return

func.func private @swap(%a : i32, %b : i32) -> (i32, i32) {
  func.return %b, %a : i32, i32
}

// CHECK-LABEL: @swap(
// CHECK-NEXT:    func.return %b, %a : i32, i32

// Only what does not end in a call of its own is inlined.
func.func @user(%a : i32, %b : i32) -> (i32, i32) {
  func.call @nothing() : () -> ()
  %r = func.call @itself(%a) : (i32) -> i32
  %c, %d = func.call @swap(%r, %b) : (i32, i32) -> (i32, i32)
  func.return %c, %d : i32, i32
}

// CHECK-LABEL: @user(
// CHECK-NEXT:    %r = func.call @itself(%a) : (i32) -> i32
// CHECK-NEXT:    func.return %b, %r : i32, i32
