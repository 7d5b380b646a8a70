// A parameter is the number that all calls of a private function pass, and what is passed on is known
// one function further on; other functions are left alone, and so are parameters that differ.
// RUN: polyopt-opt %s -p known-arguments | filecheck %s

cmem.global "external" @table size 8 align 8 relocations [[#builtin.int<0>, @in_a_table, #builtin.int<0>]]

func.func private @inner(%n : i32, %m : i32, %x : f64) -> i32 {
  %sum = arith.addi %n, %m : i32
  func.return %sum : i32
}

// CHECK-LABEL: func.func private @inner
// CHECK-NEXT:    [[N:%.*]] = arith.constant 12 : i32
// CHECK-NEXT:    arith.addi [[N]], %m

func.func private @outer(%n : i32, %m : i32, %x : f64) -> i32 {
  %r = func.call @inner(%n, %m, %x) : (i32, i32, f64) -> i32
  func.return %r : i32
}

// CHECK-LABEL: func.func private @outer
// CHECK-NEXT:    [[N:%.*]] = arith.constant 12 : i32
// CHECK-NEXT:    func.call @inner([[N]], %m, %x)

func.func private @named(%n : i32) -> i32 {
  func.return %n : i32
}

// CHECK-LABEL: func.func private @named
// CHECK-NEXT:    func.return %n

func.func private @in_a_table(%n : i32) -> i32 {
  func.return %n : i32
}

// CHECK-LABEL: func.func private @in_a_table
// CHECK-NEXT:    func.return %n

func.func private @replaced(%n : i32) -> i32 attributes {cmem.linker = {weak = ""}} {
  func.return %n : i32
}

// CHECK-LABEL: func.func private @replaced
// CHECK-NEXT:    func.return %n

// Who calls the other name passes what he likes.
func.func private @shared(%n : i32) -> i32 {
  func.return %n : i32
}

// CHECK-LABEL: func.func private @shared
// CHECK-NEXT:    func.return %n

func.func private @other_name(i32) -> i32 attributes {cmem.linker = {alias = "shared"}}

func.func @reached(%n : i32) -> i32 {
  func.return %n : i32
}

// CHECK-LABEL: func.func @reached
// CHECK-NEXT:    func.return %n

func.func private @never_called(%n : i32) -> i32 {
  func.return %n : i32
}

// CHECK-LABEL: func.func private @never_called
// CHECK-NEXT:    func.return %n

func.func private @itself(%n : i32, %m : i32) -> i32 {
  %r = func.call @itself(%n, %m) : (i32, i32) -> i32
  func.return %r : i32
}

// CHECK-LABEL: func.func private @itself
// CHECK-NEXT:    func.call @itself(%n, %m)

func.func @all(%x : f64) -> !llvm.ptr {
  %twelve = arith.constant 12 : i32
  %same = arith.constant 12 : i32
  %eight = arith.constant 8 : i32
  %a = func.call @outer(%twelve, %eight, %x) : (i32, i32, f64) -> i32
  %b = func.call @outer(%same, %twelve, %x) : (i32, i32, f64) -> i32
  %c = func.call @named(%eight) : (i32) -> i32
  %d = func.call @in_a_table(%eight) : (i32) -> i32
  %e = func.call @replaced(%eight) : (i32) -> i32
  %i = func.call @shared(%eight) : (i32) -> i32
  %f = func.call @reached(%eight) : (i32) -> i32
  %g = func.call @itself(%eight, %eight) : (i32, i32) -> i32
  %h = cmem.address_of @named
  func.return %h : !llvm.ptr
}
