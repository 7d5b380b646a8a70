// A private object that is only loaded from stays as it began; one that is stored to, whose address
// goes elsewhere, or that others see, does not.
// RUN: polyopt-opt %s -p fold-known-elements | filecheck %s

builtin.module {
  cmem.global "internal" @read size 8 align 4 bytes [1, 0, 0, 0, 7, 0, 0, 0]
  cmem.global "internal" @zero size 4 align 4
  cmem.global "internal" @stored size 4 align 4 bytes [1, 0, 0, 0]
  cmem.global "internal" @passed size 4 align 4 bytes [1, 0, 0, 0]
  cmem.global "internal" @named size 4 align 4 bytes [1, 0, 0, 0]
  cmem.global "external" @pointer size 8 align 8 relocations [[#builtin.int<0>, @named, #builtin.int<0>]]
  cmem.global "external" @seen size 4 align 4 bytes [1, 0, 0, 0]

  func.func private @take(!llvm.ptr) -> ()

  // CHECK-LABEL: func.func @all
  // CHECK:         %a = arith.constant 7 : i32
  // CHECK:         %b = arith.constant 0 : i32
  // CHECK:         %c = memref.load
  // CHECK:         %d = memref.load
  // CHECK:         %e = memref.load
  // CHECK:         %f = memref.load
  func.func @all(%new: i32) -> (i32, i32, i32, i32, i32, i32) {
    %one = arith.constant 1 : index
    %p = cmem.address_of @read
    %r = cmem.view %p[] : memref<?xi32>
    %a = memref.load %r[%one] : memref<?xi32>
    %q = cmem.address_of @zero
    %z = cmem.view %q[] : memref<i32>
    %b = memref.load %z[] : memref<i32>
    %s = cmem.address_of @stored
    %t = cmem.view %s[] : memref<i32>
    %c = memref.load %t[] : memref<i32>
    memref.store %new, %t[] : memref<i32>
    %u = cmem.address_of @passed
    %v = cmem.view %u[] : memref<i32>
    func.call @take(%u) : (!llvm.ptr) -> ()
    %d = memref.load %v[] : memref<i32>
    %w = cmem.address_of @named
    %x = cmem.view %w[] : memref<i32>
    %e = memref.load %x[] : memref<i32>
    %y = cmem.address_of @seen
    %k = cmem.view %y[] : memref<i32>
    %f = memref.load %k[] : memref<i32>
    func.return %a, %b, %c, %d, %e, %f : i32, i32, i32, i32, i32, i32
  }
}
