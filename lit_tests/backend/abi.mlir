// unsigned char f(signed char, unsigned short, _Bool): whoever calls extends a narrow integer as
// its sign says, at the definition, the declaration and the call alike. restrict is noalias. A
// static function is internal. An array argument of another compiler: address, dynamic sizes.
// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s

// The pretty form of a declaration drops its argument attributes.
"func.func"() <{sym_name = "far", function_type = (i8, i16) -> i16, sym_visibility = "private",
    arg_attrs = [{llvm.signext}, {llvm.zeroext}]}> ({}) {cmem.result = "i16"} : () -> ()

func.func private @near(%p : !llvm.ptr {llvm.noalias, llvm.align = 32 : i64}) {
  func.return
}

func.func @f(%a : i8 {llvm.signext}, %b : i16 {llvm.zeroext}, %c : i1 {llvm.zeroext}, %p : !llvm.ptr) -> i8 attributes {
  cmem.result = "u8"
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

func.func @h(%p : !llvm.ptr, %a : i8) {
  cmem.call_indirect %p(%a, %a) {arg_attrs = [{llvm.signext}, {}]} : (i8, i8) -> ()
  func.return
}

// CHECK:       define internal void @near(ptr noalias align 32 %p) #0 {
// CHECK:       define dso_local zeroext i8 @f(i8 signext %a, i16 zeroext %b, i1 zeroext %c, ptr %p) #0 {
// CHECK:         %r = call signext i16 @far(i8 signext %a, i16 zeroext %b)
// CHECK-NEXT:    call void @near(ptr noalias align 32 %p)
// CHECK:       define dso_local double @g(ptr %m, i64 [[ROWS:%\d+]], i64 [[COLUMNS:%\d+]]) #0 {
// CHECK:         call void %p(i8 signext %a, i8 %a)
// CHECK:       declare signext i16 @far(i8 signext, i16 zeroext) nounwind
