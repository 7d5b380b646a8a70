// An element of a whole array may be loaded in any case where one as far from the beginning of another whole array,
// no larger and of rows as long, is accessed in any case, and others of the array are loaded: not in a smaller
// array, in one that need not be there, nor in one of which nothing else is loaded.
// RUN: polyopt-opt %s -p if-convert | filecheck %s

cmem.global "external" @g size 64 align 4
cmem.global "external" @h size 64 align 4
cmem.global "external" @small size 32 align 4
cmem.global "external" declaration @weak size 64 align 4 {cmem.linker = {weak = ""}}

// CHECK-LABEL: func.func @beside
// CHECK-NOT:     cf.cond_br
// CHECK:         [[M:%.*]] = memref.load %G[%i, %j]
// CHECK-NEXT:    arith.select %c, [[M]],
func.func @beside(%i: index, %j: index, %k: index, %x: i32) {
  %g = cmem.address_of @g
  %G = cmem.view %g[] : memref<4x4xi32>
  %h = cmem.address_of @h
  %H = cmem.view %h[] : memref<4x4xi32>
  %near = memref.load %G[%i, %k] : memref<4x4xi32>
  %c = arith.cmpi eq, %near, %x : i32
  cf.cond_br %c, ^then, ^join(%near : i32)
^then:
  %m = memref.load %G[%i, %j] : memref<4x4xi32>
  cf.br ^join(%m : i32)
^join(%r: i32):
  memref.store %r, %H[%i, %j] : memref<4x4xi32>
  func.return
}

// CHECK-LABEL: func.func @elsewhere
// CHECK:         cf.cond_br
func.func @elsewhere(%i: index, %j: index, %k: index, %x: i32) {
  %g = cmem.address_of @g
  %G = cmem.view %g[] : memref<4x4xi32>
  %h = cmem.address_of @h
  %H = cmem.view %h[] : memref<4x4xi32>
  %near = memref.load %G[%i, %k] : memref<4x4xi32>
  %c = arith.cmpi eq, %near, %x : i32
  cf.cond_br %c, ^then, ^join(%near : i32)
^then:
  %m = memref.load %G[%i, %j] : memref<4x4xi32>
  cf.br ^join(%m : i32)
^join(%r: i32):
  memref.store %r, %H[%j, %i] : memref<4x4xi32>
  func.return
}

// CHECK-LABEL: func.func @smaller
// CHECK:         cf.cond_br
func.func @smaller(%i: index, %j: index, %k: index, %x: i32) {
  %g = cmem.address_of @small
  %G = cmem.view %g[] : memref<2x4xi32>
  %h = cmem.address_of @h
  %H = cmem.view %h[] : memref<4x4xi32>
  %near = memref.load %G[%i, %k] : memref<2x4xi32>
  %c = arith.cmpi eq, %near, %x : i32
  cf.cond_br %c, ^then, ^join(%near : i32)
^then:
  %m = memref.load %G[%i, %j] : memref<2x4xi32>
  cf.br ^join(%m : i32)
^join(%r: i32):
  memref.store %r, %H[%i, %j] : memref<4x4xi32>
  func.return
}

// CHECK-LABEL: func.func @perhaps_absent
// CHECK:         cf.cond_br
func.func @perhaps_absent(%i: index, %j: index, %k: index, %x: i32) {
  %g = cmem.address_of @weak
  %G = cmem.view %g[] : memref<4x4xi32>
  %h = cmem.address_of @h
  %H = cmem.view %h[] : memref<4x4xi32>
  %near = memref.load %G[%i, %k] : memref<4x4xi32>
  %c = arith.cmpi eq, %near, %x : i32
  cf.cond_br %c, ^then, ^join(%near : i32)
^then:
  %m = memref.load %G[%i, %j] : memref<4x4xi32>
  cf.br ^join(%m : i32)
^join(%r: i32):
  memref.store %r, %H[%i, %j] : memref<4x4xi32>
  func.return
}

// CHECK-LABEL: func.func @alone
// CHECK:         cf.cond_br
func.func @alone(%i: index, %j: index, %y: i32, %x: i32) {
  %g = cmem.address_of @g
  %G = cmem.view %g[] : memref<4x4xi32>
  %h = cmem.address_of @h
  %H = cmem.view %h[] : memref<4x4xi32>
  %near = memref.load %H[%i, %j] : memref<4x4xi32>
  %c = arith.cmpi eq, %near, %x : i32
  cf.cond_br %c, ^then, ^join(%y : i32)
^then:
  %m = memref.load %G[%i, %j] : memref<4x4xi32>
  cf.br ^join(%m : i32)
^join(%r: i32):
  memref.store %r, %H[%i, %j] : memref<4x4xi32>
  func.return
}
