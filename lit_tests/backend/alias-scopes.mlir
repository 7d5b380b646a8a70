// Memrefs that are promised to be distinct: each access is in its object's scope and outside of
// the others', also through a cast or an address taken of it. An access through the operand
// itself promises nothing. The optimiser then vectorises without comparing addresses.
// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s
// RUN: polyopt-opt %s -t 'polyopt-llvm{opt-level=3}' | filecheck %s --check-prefix=O3

func.func @add(%n : index, %p : !llvm.ptr, %q : !llvm.ptr) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %A = cmem.view %p [] : memref<?xf64>
  %B = cmem.view %q [] : memref<?xf64>
  %a, %b = cmem.distinct_objects %A, %B : memref<?xf64>, memref<?xf64> -> memref<?xf64>, memref<?xf64>
  %pb = cmem.address %b[%one] : memref<?xf64>
  %b1 = cmem.view %pb [] : memref<?xf64>
  scf.for %i = %zero to %n step %one {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = arith.addf %x, %x : f64
    memref.store %y, %b1[%i] : memref<?xf64>
  }
  %z = memref.load %A[%zero] : memref<?xf64>
  memref.store %z, %A[%one] : memref<?xf64>
  func.return
}

// CHECK-LABEL: define dso_local void @add
// CHECK:         call void @llvm.experimental.noalias.scope.decl(metadata [[A:!\d+]])
// CHECK-NEXT:    call void @llvm.experimental.noalias.scope.decl(metadata [[B:!\d+]])
// CHECK:         %x = load double, ptr {{%\d+}}, align 8, !alias.scope [[A]], !noalias [[B]]
// CHECK:         store double %y, ptr {{%\d+}}, align 8, !alias.scope [[B]], !noalias [[A]]
// CHECK:         %z = load double, ptr %p, align 8{{$}}
// CHECK:         [[DOMAIN:!\d+]] = distinct !{[[DOMAIN]], !"distinct objects"}
// CHECK-NEXT:    [[SA:!\d+]] = distinct !{[[SA]], [[DOMAIN]]}
// CHECK-NEXT:    [[SB:!\d+]] = distinct !{[[SB]], [[DOMAIN]]}
// CHECK-NEXT:    [[A]] = !{[[SA]]}
// CHECK-NEXT:    [[B]] = !{[[SB]]}

// O3-LABEL:    define dso_local void @add
// O3-NOT:      memcheck
// O3:          fadd <{{[248]}} x double>
