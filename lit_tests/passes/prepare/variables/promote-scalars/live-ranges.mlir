// A variable that is used for several things in turn is one for each: of stores that no load sees
// both of. What both arms of a branch set is one, and so is what an iteration leaves for the next.
// RUN: polyopt-opt %s -p promote-scalars | filecheck %s

// Each part is seen from one store: none stays in memory, although the load of the first is in
// another block than its store.
// CHECK-LABEL: func.func @in_turn
// CHECK-NOT:     memref.load
// CHECK:         %x = arith.mulf %a, %a
// CHECK:         %y = arith.mulf %b, %b
func.func @in_turn(%a : f64, %b : f64, %n : index) -> (f64, f64) {
  %t = memref.alloca() : memref<f64>
  %zero = arith.constant 0 : index
  memref.store %a, %t[] : memref<f64>
  %c = arith.cmpi eq, %n, %zero : index
  cf.cond_br %c, ^then, ^join
^then:
  cf.br ^join
^join:
  %first = memref.load %t[] : memref<f64>
  %x = arith.mulf %first, %first : f64
  memref.store %b, %t[] : memref<f64>
  %second = memref.load %t[] : memref<f64>
  %y = arith.mulf %second, %second : f64
  func.return %x, %y : f64, f64
}

// Two stores meet in a load, twice: two variables.
// CHECK-LABEL: func.func @by_branches
// CHECK:         [[R:%.*]] = memref.alloca() : memref<f64>
// CHECK:         [[S:%.*]] = memref.alloca() : memref<f64>
// CHECK-NOT:     memref.alloca
// CHECK:         memref.store %a, [[FIRST:%.*]][]
// CHECK:         memref.store %b, [[FIRST]][]
// CHECK:         %first = memref.load [[FIRST]][]
// CHECK:         memref.store %a, [[SECOND:%.*]][]
// CHECK:         memref.store %b, [[SECOND]][]
// CHECK:         %second = memref.load [[SECOND]][]
func.func @by_branches(%a : f64, %b : f64, %c : i1) -> f64 {
  %r = memref.alloca() : memref<f64>
  cf.cond_br %c, ^one, ^other
^one:
  memref.store %a, %r[] : memref<f64>
  cf.br ^join
^other:
  memref.store %b, %r[] : memref<f64>
  cf.br ^join
^join:
  %first = memref.load %r[] : memref<f64>
  cf.cond_br %c, ^again_one, ^again_other
^again_one:
  memref.store %a, %r[] : memref<f64>
  cf.br ^end
^again_other:
  memref.store %b, %r[] : memref<f64>
  cf.br ^end
^end:
  %second = memref.load %r[] : memref<f64>
  %sum = arith.addf %first, %second : f64
  func.return %sum : f64
}

// One that only a first iteration reads as it was before the loop is still one.
// CHECK-LABEL: func.func @carried
// CHECK-COUNT-1: memref.alloca
// CHECK-NOT:     memref.alloca
func.func @carried(%a : f64, %n : index) -> f64 {
  %s = memref.alloca() : memref<f64>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  memref.store %a, %s[] : memref<f64>
  cf.br ^head(%zero : index)
^head(%i : index):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^end
^body:
  %old = memref.load %s[] : memref<f64>
  %new = arith.addf %old, %old : f64
  memref.store %new, %s[] : memref<f64>
  %next = arith.addi %i, %one : index
  cf.br ^head(%next : index)
^end:
  %last = memref.load %s[] : memref<f64>
  func.return %last : f64
}

// What may be read before it is written keeps its slot, with the stores that such a load may see.
// CHECK-LABEL: func.func @maybe_unset
// CHECK-COUNT-1: memref.alloca
// CHECK-NOT:     memref.alloca
func.func @maybe_unset(%a : f64, %c : i1) -> f64 {
  %s = memref.alloca() : memref<f64>
  cf.cond_br %c, ^then, ^join
^then:
  memref.store %a, %s[] : memref<f64>
  cf.br ^join
^join:
  %x = memref.load %s[] : memref<f64>
  memref.store %x, %s[] : memref<f64>
  func.return %x : f64
}
