// With no loops, no SCoPs, and none on trial there is nothing to keep, to weigh or to time: the module stays as it is.
// RUN: polyopt-opt %s -p 'keep-as-written,keep-what-pays{march="x86-64-v3"}' | filecheck %s
// RUN: polyopt-opt %s -p 'keep-what-pays{march="x86-64-v3"}' | filecheck %s
// RUN: polyopt-opt %s -p 'poly-weigh{march="x86-64-v3"}' | filecheck %s
// RUN: polyopt-opt %s -p time-nests | filecheck %s
// RUN: polyopt-opt %s -p keep-as-written,time-nests,poly-weigh,keep-what-pays | filecheck %s

func.func private @declared(i32)

func.func @straight(%n : i32) {
  func.call @declared(%n) : (i32) -> ()
  func.return
}

// CHECK:      builtin.module {
// CHECK-NEXT:   func.func private @declared(i32)
// CHECK-NEXT:   func.func @straight(%n: i32) {
// CHECK-NEXT:     func.call @declared(%n) : (i32) -> ()
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
