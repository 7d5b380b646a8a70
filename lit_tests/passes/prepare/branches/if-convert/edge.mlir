// At the edges: arms without operations, two edges to one block, and as many operations as a
// selection may run in vain, and one more.
// RUN: polyopt-opt %s -p 'if-convert' | filecheck %s

// Both ways bring the same value.
func.func @empty_arms(%x : f64, %c : i1) -> f64 {
  cf.cond_br %c, ^then, ^else
^then:
  cf.br ^join(%x : f64)
^else:
  cf.br ^join(%x : f64)
^join(%r : f64):
  func.return %r : f64
}

// CHECK-LABEL: func.func @empty_arms(
// CHECK-NEXT:    func.return %x : f64

// There is no arm: nothing is moved.
func.func @same_target(%x : f64, %y : f64, %c : i1) -> f64 {
  cf.cond_br %c, ^join(%x : f64), ^join(%y : f64)
^join(%r : f64):
  func.return %r : f64
}

// CHECK-LABEL: func.func @same_target(
// CHECK-NEXT:    cf.cond_br %c, ^join(%x : f64), ^join(%y : f64)
// CHECK-NEXT:  ^join(%r: f64):
// CHECK-NEXT:    func.return %r : f64

// Sixteen operations.
func.func @sixteen(%x : f64, %c : i1) -> f64 {
  cf.cond_br %c, ^then, ^join(%x : f64)
^then:
  %a1 = arith.addf %x, %x : f64
  %a2 = arith.addf %a1, %x : f64
  %a3 = arith.addf %a2, %x : f64
  %a4 = arith.addf %a3, %x : f64
  %a5 = arith.addf %a4, %x : f64
  %a6 = arith.addf %a5, %x : f64
  %a7 = arith.addf %a6, %x : f64
  %a8 = arith.addf %a7, %x : f64
  %a9 = arith.addf %a8, %x : f64
  %b0 = arith.addf %a9, %x : f64
  %b1 = arith.addf %b0, %x : f64
  %b2 = arith.addf %b1, %x : f64
  %b3 = arith.addf %b2, %x : f64
  %b4 = arith.addf %b3, %x : f64
  %b5 = arith.addf %b4, %x : f64
  %b6 = arith.addf %b5, %x : f64
  cf.br ^join(%b6 : f64)
^join(%r : f64):
  func.return %r : f64
}

// CHECK-LABEL: func.func @sixteen(
// CHECK-NEXT:    %a1 = arith.addf %x, %x : f64
// CHECK-NEXT:    %a2 = arith.addf %a1, %x : f64
// CHECK-NEXT:    %a3 = arith.addf %a2, %x : f64
// CHECK-NEXT:    %a4 = arith.addf %a3, %x : f64
// CHECK-NEXT:    %a5 = arith.addf %a4, %x : f64
// CHECK-NEXT:    %a6 = arith.addf %a5, %x : f64
// CHECK-NEXT:    %a7 = arith.addf %a6, %x : f64
// CHECK-NEXT:    %a8 = arith.addf %a7, %x : f64
// CHECK-NEXT:    %a9 = arith.addf %a8, %x : f64
// CHECK-NEXT:    %b0 = arith.addf %a9, %x : f64
// CHECK-NEXT:    %b1 = arith.addf %b0, %x : f64
// CHECK-NEXT:    %b2 = arith.addf %b1, %x : f64
// CHECK-NEXT:    %b3 = arith.addf %b2, %x : f64
// CHECK-NEXT:    %b4 = arith.addf %b3, %x : f64
// CHECK-NEXT:    %b5 = arith.addf %b4, %x : f64
// CHECK-NEXT:    %b6 = arith.addf %b5, %x : f64
// CHECK-NEXT:    %r = arith.select %c, %b6, %x : f64
// CHECK-NEXT:    func.return %r : f64

// Seventeen: the branch stays.
func.func @seventeen(%x : f64, %c : i1) -> f64 {
  cf.cond_br %c, ^then, ^join(%x : f64)
^then:
  %a1 = arith.addf %x, %x : f64
  %a2 = arith.addf %a1, %x : f64
  %a3 = arith.addf %a2, %x : f64
  %a4 = arith.addf %a3, %x : f64
  %a5 = arith.addf %a4, %x : f64
  %a6 = arith.addf %a5, %x : f64
  %a7 = arith.addf %a6, %x : f64
  %a8 = arith.addf %a7, %x : f64
  %a9 = arith.addf %a8, %x : f64
  %b0 = arith.addf %a9, %x : f64
  %b1 = arith.addf %b0, %x : f64
  %b2 = arith.addf %b1, %x : f64
  %b3 = arith.addf %b2, %x : f64
  %b4 = arith.addf %b3, %x : f64
  %b5 = arith.addf %b4, %x : f64
  %b6 = arith.addf %b5, %x : f64
  %b7 = arith.addf %b6, %x : f64
  cf.br ^join(%b7 : f64)
^join(%r : f64):
  func.return %r : f64
}

// CHECK-LABEL: func.func @seventeen(
// CHECK-NEXT:    cf.cond_br %c, ^then, ^join(%x : f64)
// CHECK-NEXT:  ^then:
// CHECK-NEXT:    %a1 = arith.addf %x, %x : f64
// CHECK-NEXT:    %a2 = arith.addf %a1, %x : f64
// CHECK-NEXT:    %a3 = arith.addf %a2, %x : f64
// CHECK-NEXT:    %a4 = arith.addf %a3, %x : f64
// CHECK-NEXT:    %a5 = arith.addf %a4, %x : f64
// CHECK-NEXT:    %a6 = arith.addf %a5, %x : f64
// CHECK-NEXT:    %a7 = arith.addf %a6, %x : f64
// CHECK-NEXT:    %a8 = arith.addf %a7, %x : f64
// CHECK-NEXT:    %a9 = arith.addf %a8, %x : f64
// CHECK-NEXT:    %b0 = arith.addf %a9, %x : f64
// CHECK-NEXT:    %b1 = arith.addf %b0, %x : f64
// CHECK-NEXT:    %b2 = arith.addf %b1, %x : f64
// CHECK-NEXT:    %b3 = arith.addf %b2, %x : f64
// CHECK-NEXT:    %b4 = arith.addf %b3, %x : f64
// CHECK-NEXT:    %b5 = arith.addf %b4, %x : f64
// CHECK-NEXT:    %b6 = arith.addf %b5, %x : f64
// CHECK-NEXT:    %b7 = arith.addf %b6, %x : f64
// CHECK-NEXT:    cf.br ^join(%b7 : f64)
// CHECK-NEXT:  ^join(%r: f64):
// CHECK-NEXT:    func.return %r : f64
