// Each operation prints and parses back to itself, in the pretty and in the generic form.
// RUN: polyopt-opt %s | filecheck %s
// RUN: polyopt-opt %s --print-op-generic | polyopt-opt | filecheck %s

cmem.global "external" @table size 4 align 4 bytes [1, 0, 0, 0]
cmem.global "internal" constant @text size 2 align 1 bytes [97, 0]
cmem.global "internal" @names size 16 align 8 relocations [[#builtin.int<8>, @text, #builtin.int<1>]]
cmem.global "external" declaration @other size 4 align 4
cmem.global "common" @shared size 8 align 8
func.func private @printf(!llvm.ptr) -> i32 attributes {cmem.variadic}

// CHECK:      cmem.global "external" @table size 4 align 4 bytes [1, 0, 0, 0]
// CHECK-NEXT: cmem.global "internal" constant @text size 2 align 1 bytes [97, 0]
// CHECK-NEXT: cmem.global "internal" @names size 16 align 8 relocations [{{.*}}#builtin.int<8>, @text, #builtin.int<1>{{.*}}]
// CHECK-NEXT: cmem.global "external" declaration @other size 4 align 4
// CHECK-NEXT: cmem.global "common" @shared size 8 align 8

func.func @addresses(%p : !llvm.ptr, %n : index, %i : index, %k : i64) {
  %v = cmem.view %p[%n] : memref<?x4x?xf64>
  %a = cmem.address %v[%i, %i, %i] : memref<?x4x?xf64>
  %b = cmem.offset %a, %i stride 24
  %c = cmem.ptr_to_int %b
  %d = cmem.int_to_ptr %c
  %e = cmem.address_of @table
  %f = cmem.alias_of @shared
  %g = cmem.frame_address
  %h = cmem.frame_address of caller
  %j = cmem.is_constant %k : i64
  func.return
}

// CHECK-LABEL: func.func @addresses
// CHECK-NEXT:    %v = cmem.view %p[%n] : memref<?x4x?xf64>
// CHECK-NEXT:    %a = cmem.address %v[%i, %i, %i] : memref<?x4x?xf64>
// CHECK-NEXT:    %b = cmem.offset %a, %i stride 24
// CHECK-NEXT:    %c = cmem.ptr_to_int %b
// CHECK-NEXT:    %d = cmem.int_to_ptr %c
// CHECK-NEXT:    %e = cmem.address_of @table
// CHECK-NEXT:    %f = cmem.alias_of @shared
// CHECK-NEXT:    %g = cmem.frame_address
// CHECK-NEXT:    %h = cmem.frame_address of caller
// CHECK-NEXT:    %j = cmem.is_constant %k : i64

func.func @memory(%p : !llvm.ptr, %q : !llvm.ptr, %m : memref<?xf64>, %o : memref<?xf64>, %i : index) {
  %x = cmem.volatile_load %m[%i] : memref<?xf64>
  cmem.volatile_store %x, %m[%i] : memref<?xf64>
  %y = cmem.unaligned_load %m[%i] align 2 : memref<?xf64>
  cmem.unaligned_store %y, %m[%i] align 1 : memref<?xf64>
  cmem.copy %p to %q size 24 align 8
  cmem.barrier
  cmem.instructions "cpuid" clobbers ["eax", "ebx"]
  cmem.prefetch %p term 3
  cmem.prefetch %q term 0 for_write
  %a, %b = cmem.distinct_objects %m, %o : memref<?xf64>, memref<?xf64> -> memref<?xf64>, memref<?xf64>
  %s = cmem.stack_save
  cmem.stack_restore %s
  func.return
}

// CHECK-LABEL: func.func @memory
// CHECK-NEXT:    %x = cmem.volatile_load %m[%i] : memref<?xf64>
// CHECK-NEXT:    cmem.volatile_store %x, %m[%i] : memref<?xf64>
// CHECK-NEXT:    %y = cmem.unaligned_load %m[%i] align 2 : memref<?xf64>
// CHECK-NEXT:    cmem.unaligned_store %y, %m[%i] align 1 : memref<?xf64>
// CHECK-NEXT:    cmem.copy %p to %q size 24 align 8
// CHECK-NEXT:    cmem.barrier
// CHECK-NEXT:    cmem.instructions "cpuid" clobbers ["eax", "ebx"]
// CHECK-NEXT:    cmem.prefetch %p term 3
// CHECK-NEXT:    cmem.prefetch %q term 0 for_write
// CHECK-NEXT:    %a, %b = cmem.distinct_objects %m, %o : memref<?xf64>, memref<?xf64> -> memref<?xf64>, memref<?xf64>
// CHECK-NEXT:    %s = cmem.stack_save
// CHECK-NEXT:    cmem.stack_restore %s

func.func @calls(%p : !llvm.ptr, %f : !llvm.ptr, %x : f64, %k : i32) {
  %a = cmem.call_variadic @printf fixed 1(%p, %k) : (!llvm.ptr, i32) -> i32
  %b = cmem.call_indirect %f(%x) : (f64) -> f64
  %c = cmem.call_indirect %f fixed 1(%p, %k) : (!llvm.ptr, i32) -> i32
  cmem.va_start %p
  %d = cmem.va_arg %p parts [i64, f64] size 16 align 8
  cmem.trap
  func.return
}

// CHECK-LABEL: func.func @calls
// CHECK-NEXT:    %a = cmem.call_variadic @printf fixed 1(%p, %k) : (!llvm.ptr, i32) -> i32
// CHECK-NEXT:    %b = cmem.call_indirect %f(%x) : (f64) -> f64
// CHECK-NEXT:    %c = cmem.call_indirect %f fixed 1(%p, %k) : (!llvm.ptr, i32) -> i32
// CHECK-NEXT:    cmem.va_start %p
// CHECK-NEXT:    %d = cmem.va_arg %p parts [i64, f64] size 16 align 8
// CHECK-NEXT:    cmem.trap

func.func @values(%x : f64) -> f64 {
  %a = cmem.apart %x : f64
  func.return %a : f64
}

// CHECK-LABEL: func.func @values
// CHECK-NEXT:    %a = cmem.apart %x : f64
