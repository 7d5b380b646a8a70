// What the verifiers refuse.
// RUN: polyopt-opt %s --split-input-file --verify-diagnostics | filecheck %s

func.func @view(%p : !llvm.ptr) {
  // CHECK: expected one size for each dynamic dimension but the first: 1, got 0
  %v = cmem.view %p[] : memref<?x4x?xf64>
  func.return
}

// -----

func.func @address(%m : memref<?x4xf64>, %i : index) {
  // CHECK: expected one index for each dimension
  %a = cmem.address %m[%i] : memref<?x4xf64>
  func.return
}

// -----

func.func @prefetch(%p : !llvm.ptr) {
  // CHECK: expected a term from 0 to 3
  cmem.prefetch %p term 4
  func.return
}

// -----

// CHECK: unknown linkage 'weak'
cmem.global "weak" @table size 4 align 4

// -----

// CHECK: expected as many initial bytes as the size says
cmem.global "internal" @table size 4 align 4 bytes [1, 0]

// -----

func.func @distinct(%m : memref<?xf64>) {
  // CHECK: expected each result to have the type of its operand
  %a = cmem.distinct_objects %m : memref<?xf64> -> memref<4xf64>
  func.return
}

// -----

func.func @part(%p : !llvm.ptr) {
  // CHECK: expected parts of type i64 or f64
  %a = cmem.va_arg %p parts [i32] size 4 align 4
  func.return
}

// -----

func.func @parts(%p : !llvm.ptr) {
  // CHECK: expected at most two parts
  %a = cmem.va_arg %p parts [i64, i64, i64] size 24 align 8
  func.return
}

// -----

func.func @bytes(%p : !llvm.ptr) {
  // CHECK: expected parts for all bytes
  %a = cmem.va_arg %p parts [i64] size 12 align 4
  func.return
}

// -----

func.func @no_number(%p : i32) {
  // CHECK: an f32 or f64 is kept apart, nothing else
  %a = cmem.apart %p : i32
  func.return
}

// -----

func.func @no_register_for_it(%p : f80) {
  // CHECK: an f32 or f64 is kept apart, nothing else
  %a = cmem.apart %p : f80
  func.return
}
