// unsigned char f(signed char, unsigned short, _Bool): whoever calls extends a narrow integer as
// its sign says, at the definition, the declaration and the call alike. restrict is noalias. A
// static function is internal. An array argument of another compiler: address, dynamic sizes.
// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s

func.func private @far(i8, i16) -> i16 attributes {
  cmem.result = "i16",
  cmem.parameters = [
    {name = "a", ctype = "signed char", kind = "scalar", element = "i8"},
    {name = "b", ctype = "unsigned short", kind = "scalar", element = "u16"}
  ]
}

func.func private @near(%p : !llvm.ptr {llvm.noalias, llvm.align = 32 : i64}) {
  func.return
}

func.func @f(%a : i8, %b : i16, %c : i1, %p : !llvm.ptr) -> i8 attributes {
  cmem.result = "u8",
  cmem.parameters = [
    {name = "a", ctype = "signed char", kind = "scalar", element = "i8"},
    {name = "b", ctype = "unsigned short", kind = "scalar", element = "u16"},
    {name = "c", ctype = "_Bool", kind = "scalar", element = "u8"},
    {name = "p", ctype = "double *", kind = "pointer", element = "f64"}
  ]
} {
  %r = func.call @far(%a, %b) : (i8, i16) -> i16
  func.call @near(%p) : (!llvm.ptr) -> ()
  func.return %a : i8
}

func.func @g(%m : memref<?x4x?xf64>) -> f64 {
  %i = arith.constant 1 : index
  %x = memref.load %m[%i, %i, %i] : memref<?x4x?xf64>
  func.return %x : f64
}

// CHECK:       define internal void @near(ptr noalias align 32 %p) #0 {
// CHECK:       define dso_local zeroext i8 @f(i8 signext %a, i16 zeroext %b, i1 zeroext %c, ptr %p) #0 {
// CHECK:         %r = call signext i16 @far(i8 signext %a, i16 zeroext %b)
// CHECK-NEXT:    call void @near(ptr noalias align 32 %p)
// CHECK:       define dso_local double @g(ptr %m, i64 [[ROWS:%\d+]], i64 [[COLUMNS:%\d+]]) #0 {
// CHECK:       declare signext i16 @far(i8 signext, i16 zeroext) nounwind
