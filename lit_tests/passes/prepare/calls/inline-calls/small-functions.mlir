// Functions of one block take the place of their calls, also those that become one block when what
// they call is inlined.
// RUN: polyopt-opt %s -p inline-calls | filecheck %s

func.func private @least(%a: i32, %b: i32) -> i32 {
  %c = arith.cmpi slt, %a, %b : i32
  %m = arith.select %c, %a, %b : i32
  func.return %m : i32
}

func.func private @least_of_three(%a: i32, %b: i32, %d: i32) -> i32 {
  %m = func.call @least(%a, %b) : (i32, i32) -> i32
  %l = func.call @least(%m, %d) : (i32, i32) -> i32
  func.return %l : i32
}

func.func private @add_at(%p: !llvm.ptr, %i: index, %x: f64) {
  %v = cmem.view %p[] : memref<?xf64>
  %old = memref.load %v[%i] : memref<?xf64>
  %new = arith.addf %old, %x : f64
  memref.store %new, %v[%i] : memref<?xf64>
  func.return
}

func.func @user(%p: !llvm.ptr, %i: index, %x: f64, %a: i32) -> i32 {
  func.call @add_at(%p, %i, %x) : (!llvm.ptr, index, f64) -> ()
  func.call @add_at(%p, %i, %x) : (!llvm.ptr, index, f64) -> ()
  %l = func.call @least_of_three(%a, %a, %a) : (i32, i32, i32) -> i32
  func.return %l : i32
}

// CHECK-LABEL: func.func @user
// CHECK-NEXT:    %v = cmem.view %p[]
// CHECK-NEXT:    %old = memref.load %v[%i]
// CHECK-NEXT:    %new = arith.addf %old, %x
// CHECK-NEXT:    memref.store %new, %v[%i]
// CHECK-NEXT:    %[[OLD:.*]] = memref.load %v[%i]
// CHECK-NEXT:    %[[NEW:.*]] = arith.addf %[[OLD]], %x
// CHECK-NEXT:    memref.store %[[NEW]], %v[%i]
// CHECK-NEXT:    %[[C:.*]] = arith.cmpi slt, %a, %a
// CHECK-NEXT:    %[[M:.*]] = arith.select %[[C]], %a, %a
// CHECK-NEXT:    %[[D:.*]] = arith.cmpi slt, %[[M]], %a
// CHECK-NEXT:    %[[L:.*]] = arith.select %[[D]], %[[M]], %a
// CHECK-NEXT:    func.return %[[L]]

func.func @again(%n: i32) -> i32 {
  %m = func.call @again(%n) : (i32) -> i32
  func.return %m : i32
}

func.func private @outside(i32) -> i32

func.func private @in_two_blocks(%c: i1, %a: i32) -> i32 {
  cf.cond_br %c, ^one, ^other
^one:
  %b = func.call @outside(%a) : (i32) -> i32
  func.return %b : i32
^other:
  func.return %a : i32
}

func.func private @with_a_variable(%a: i32) -> i32 {
  %v = memref.alloca() : memref<i32>
  memref.store %a, %v[] : memref<i32>
  %b = memref.load %v[] : memref<i32>
  func.return %b : i32
}

func.func @refuses(%c: i1, %a: i32) -> i32 {
  %x = func.call @outside(%a) : (i32) -> i32
  %y = func.call @again(%x) : (i32) -> i32
  %z = func.call @in_two_blocks(%c, %y) : (i1, i32) -> i32
  %w = func.call @with_a_variable(%z) : (i32) -> i32
  func.return %w : i32
}

// CHECK-LABEL: func.func @refuses
// CHECK-NEXT:    %x = func.call @outside(%a)
// CHECK-NEXT:    %y = func.call @again(%x)
// CHECK-NEXT:    %z = func.call @in_two_blocks(%c, %y)
// CHECK-NEXT:    %w = func.call @with_a_variable(%z)
// CHECK-NEXT:    func.return %w
