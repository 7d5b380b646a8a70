// RUN: polyopt-opt %s -p structure-branches,verify-dominance | filecheck %s
// A value that is computed between two conditions and passed on by the second branch goes on being
// used: a number is a result of the conditional, a pointer keeps the two branches apart.

// CHECK-LABEL: func.func @number
// CHECK: %[[BOTH:.*]], %[[X:.*]] = scf.if
// CHECK: scf.yield %{{.*}}, %{{.*}} : i1, f64
// CHECK: cf.cond_br %[[BOTH]], ^{{.+}}(%[[X]] : f64), ^{{.+}}
func.func @number(%A: memref<?xf64>, %c: i1) -> f64 {
  %zero = arith.constant 0.0 : f64
  %at = arith.constant 0 : index
  %next = arith.constant 1 : index
  cf.br ^head(%zero : f64)
^head(%s: f64):
  %a = memref.load %A[%at] : memref<?xf64>
  %first = arith.cmpf ogt, %a, %s : f64
  cf.cond_br %first, ^second, ^exit
^second:
  %b = memref.load %A[%next] : memref<?xf64>
  %x = arith.addf %b, %s : f64
  %again = arith.cmpf olt, %x, %a : f64
  cf.cond_br %again, ^head(%x : f64), ^exit
^exit:
  func.return %s : f64
}

// CHECK-LABEL: func.func @pointer
// CHECK-NOT: scf.if
// CHECK: cf.cond_br %{{.*}}, ^{{.+}}, ^{{.+}}
// CHECK: %[[NEXT:.*]] = cmem.offset
// CHECK: cf.cond_br %{{.*}}, ^{{.+}}(%[[NEXT]] : !llvm.ptr), ^{{.+}}
func.func @pointer(%text: !llvm.ptr, %c: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : index
  cf.br ^head(%text : !llvm.ptr)
^head(%t: !llvm.ptr):
  %view = cmem.view %t[] : memref<i32>
  %a = memref.load %view[] : memref<i32>
  %first = arith.cmpi ne, %a, %zero : i32
  cf.cond_br %first, ^second, ^exit
^second:
  %next = cmem.offset %t, %one stride 4
  %again = arith.cmpi eq, %a, %c : i32
  cf.cond_br %again, ^head(%next : !llvm.ptr), ^exit
^exit:
  func.return %a : i32
}
