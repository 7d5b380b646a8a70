// RUN: polyopt-opt %s -p detect-scops | filecheck %s

// A loop that is entered by two edges with one value, as it is behind a SCoP that has its check in front:
// the block that is put in front of it takes what they pass.

builtin.module {
  func.func private @elsewhere()
  func.func @f(%n: i64, %late: i1, %a: !llvm.ptr) {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %v = arith.constant 1.0 : f64
    cf.cond_br %late, ^head(%zero : i64), ^early
  ^early:
    func.call @elsewhere() : () -> ()
    cf.br ^head(%zero : i64)
  ^head(%i: i64):
    %c = arith.cmpi slt, %i, %n : i64
    cf.cond_br %c, ^body, ^done
  ^body:
    %view = cmem.view %a [] : memref<?xf64>
    %x = arith.index_cast %i : i64 to index
    memref.store %v, %view[%x] : memref<?xf64>
    %next = arith.addi %i, %one overflow<nsw> : i64
    cf.br ^head(%next : i64)
  ^done:
    func.return
  }
}

// CHECK:       cf.cond_br %late, ^[[FRONT:[a-z0-9]+]](%zero : i64), ^early
// CHECK:       func.call @elsewhere()
// CHECK-NEXT:  cf.br ^[[FRONT]](%zero : i64)
// CHECK-NEXT:  ^[[FRONT]](%{{.*}}: i64):
// CHECK:       poly.scop "f"
// CHECK-SAME:  0 <= i < n
