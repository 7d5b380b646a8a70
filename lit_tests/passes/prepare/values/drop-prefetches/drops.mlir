// What the counter leads to is not fetched ahead: a place in an array, a pointer that goes on, and
// one that is a variable in memory.
// RUN: polyopt-opt %s -p 'drop-prefetches' | filecheck %s

// CHECK-LABEL: func.func @array
// CHECK-NOT:     cmem.prefetch
func.func @array(%a : !llvm.ptr, %n : index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  cf.br ^head(%zero : index)
^head(%i : index):
  %goes_on = arith.cmpi slt, %i, %n : index
  cf.cond_br %goes_on, ^body, ^end
^body:
  %p = cmem.offset %a, %i stride 8
  cmem.prefetch %p term 3
  %next = arith.addi %i, %one : index
  cf.br ^head(%next : index)
^end:
  func.return
}

// CHECK-LABEL: func.func @pointer
// CHECK-NOT:     cmem.prefetch
func.func @pointer(%a : !llvm.ptr, %c : i1) {
  %one = arith.constant 1 : index
  cf.br ^loop(%a : !llvm.ptr)
^loop(%p : !llvm.ptr):
  cmem.prefetch %p term 0 for_write
  %next = cmem.offset %p, %one stride 8
  cf.cond_br %c, ^loop(%next : !llvm.ptr), ^end
^end:
  func.return
}

// CHECK-LABEL: func.func @variable
// CHECK-NOT:     cmem.prefetch
func.func @variable(%a : !llvm.ptr, %c : i1) {
  %one = arith.constant 1 : index
  %v = memref.alloca() : memref<!llvm.ptr>
  memref.store %a, %v[] : memref<!llvm.ptr>
  cf.br ^loop
^loop:
  %p = memref.load %v[] : memref<!llvm.ptr>
  cmem.prefetch %p term 3
  %next = cmem.offset %p, %one stride 8
  memref.store %next, %v[] : memref<!llvm.ptr>
  cf.cond_br %c, ^loop, ^end
^end:
  func.return
}
