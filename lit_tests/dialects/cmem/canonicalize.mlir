// Addresses in their plainest form.
// RUN: polyopt-opt %s -p canonicalize | filecheck %s

func.func @offsets(%p : !llvm.ptr, %i : index, %j : index) -> (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %same = cmem.offset %p, %zero stride 8
  %a = cmem.offset %p, %i stride 8
  %b = cmem.offset %a, %j stride 8
  %c = cmem.offset %p, %two stride 8
  %d = cmem.offset %c, %three stride 4
  %e = cmem.offset %a, %three stride 4
  func.return %same, %b, %d, %e : !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr
}

// CHECK-LABEL: func.func @offsets
// CHECK-NOT:     constant 0
// CHECK:         [[A:%.*]] = cmem.offset %p, %i stride 8
// CHECK:         [[SUM:%.*]] = arith.addi %i, %j : index
// CHECK-NEXT:    [[B:%.*]] = cmem.offset %p, [[SUM]] stride 8
// CHECK:         [[BYTES:%.*]] = arith.constant 28 : index
// CHECK-NEXT:    [[D:%.*]] = cmem.offset %p, [[BYTES]] stride 1
// CHECK-NEXT:    [[E:%.*]] = cmem.offset [[A]], %three stride 4
// CHECK-NEXT:    func.return %p, [[B]], [[D]], [[E]]

func.func @addresses(%p : !llvm.ptr, %k : i64, %i : index) -> (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) {
  %zero = arith.constant 0 : index
  %view = cmem.view %p[] : memref<?x20xf64>
  %first = cmem.address %view[%zero, %zero] : memref<?x20xf64>
  %other = cmem.address %view[%zero, %i] : memref<?x20xf64>
  %made = cmem.int_to_ptr %k
  %back = cmem.ptr_to_int %made
  %number = cmem.ptr_to_int %p
  %again = cmem.int_to_ptr %number
  func.return %first, %other, %back, %again : !llvm.ptr, !llvm.ptr, i64, !llvm.ptr
}

// CHECK-LABEL: func.func @addresses
// CHECK:         %other = cmem.address %view[%zero, %i]
// CHECK:         %again = cmem.int_to_ptr
// CHECK-NEXT:    func.return %p, %other, %k, %again
