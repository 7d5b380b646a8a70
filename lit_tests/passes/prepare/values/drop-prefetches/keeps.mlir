// What data lead to is fetched ahead: the place is loaded, called for, or a branch chooses it.
// RUN: polyopt-opt %s -p 'drop-prefetches' | filecheck %s

// CHECK-LABEL: func.func @loaded
// CHECK:         cmem.prefetch %p term 3
func.func @loaded(%list : !llvm.ptr, %c : i1) {
  cf.br ^loop(%list : !llvm.ptr)
^loop(%p : !llvm.ptr):
  cmem.prefetch %p term 3
  %view = cmem.view %p[] : memref<!llvm.ptr>
  %next = memref.load %view[] : memref<!llvm.ptr>
  cf.cond_br %c, ^loop(%next : !llvm.ptr), ^end
^end:
  func.return
}

func.func private @hash(index) -> index

// CHECK-LABEL: func.func @called
// CHECK:         cmem.prefetch %p term 3 for_write
func.func @called(%table : !llvm.ptr, %c : i1, %x : index) {
  cf.br ^loop
^loop:
  %h = func.call @hash(%x) : (index) -> index
  %p = cmem.offset %table, %h stride 8
  cmem.prefetch %p term 3 for_write
  cf.cond_br %c, ^loop, ^end
^end:
  func.return
}

// CHECK-LABEL: func.func @chosen
// CHECK:         cmem.prefetch %p term 3
func.func @chosen(%a : !llvm.ptr, %c : i1, %d : i1) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  cf.br ^loop(%a : !llvm.ptr)
^loop(%p : !llvm.ptr):
  cmem.prefetch %p term 3
  cf.cond_br %d, ^join(%one : index), ^join(%two : index)
^join(%step : index):
  %next = cmem.offset %p, %step stride 8
  cf.cond_br %c, ^loop(%next : !llvm.ptr), ^end
^end:
  func.return
}

// Two places store in the variable.
// CHECK-LABEL: func.func @stored_twice
// CHECK:         cmem.prefetch %p term 3
func.func @stored_twice(%a : !llvm.ptr, %b : !llvm.ptr, %c : i1) {
  %one = arith.constant 1 : index
  %v = memref.alloca() : memref<!llvm.ptr>
  memref.store %a, %v[] : memref<!llvm.ptr>
  cf.br ^loop
^loop:
  %p = memref.load %v[] : memref<!llvm.ptr>
  cmem.prefetch %p term 3
  %next = cmem.offset %p, %one stride 8
  memref.store %next, %v[] : memref<!llvm.ptr>
  cf.cond_br %c, ^other, ^end
^other:
  memref.store %b, %v[] : memref<!llvm.ptr>
  cf.br ^loop
^end:
  func.return
}

// A place in a table that the counter leads to holds the place that is fetched.
// CHECK-LABEL: func.func @looked_up
// CHECK:         cmem.prefetch %p term 1
func.func @looked_up(%a : !llvm.ptr, %k : memref<?xindex>, %c : i1) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  cf.br ^loop(%zero : index)
^loop(%i : index):
  %h = memref.load %k[%i] : memref<?xindex>
  %p = cmem.offset %a, %h stride 8
  cmem.prefetch %p term 1
  %next = arith.addi %i, %one : index
  cf.cond_br %c, ^loop(%next : index), ^end
^end:
  func.return
}
