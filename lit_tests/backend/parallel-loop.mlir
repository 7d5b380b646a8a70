// for (i) for (j) a[i][j] += b[j], the inner loop proved parallel: its accesses form a group that
// the loop names, and LLVM compares no addresses. The outer loop is not innermost and gets no
// group. The marks no-vector and no-unroll keep LLVM's hands off a loop;
// unroll-by-4 has it do that; long tells that another iteration is likely, whatever its registers
// are needed for elsewhere.
// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s
// RUN: polyopt-opt %s -t 'polyopt-llvm{opt-level=3}' | filecheck %s --check-prefix=O3

func.func @parallel(%n : index, %p : !llvm.ptr, %q : !llvm.ptr) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %A = cmem.view %p [%n] : memref<?x?xf64>
  %B = cmem.view %q [] : memref<?xf64>
  scf.for %i = %zero to %n step %one {
    scf.for %j = %zero to %n step %one {
      %x = memref.load %A[%i, %j] : memref<?x?xf64>
      %y = memref.load %B[%j] : memref<?xf64>
      %z = arith.addf %x, %y : f64
      memref.store %z, %A[%i, %j] : memref<?x?xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

func.func @alone(%n : index, %p : !llvm.ptr) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %A = cmem.view %p [] : memref<?xf64>
  scf.for %i = %zero to %n step %one {
    %x = memref.load %A[%i] : memref<?xf64>
    %y = arith.mulf %x, %x : f64
    memref.store %y, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<no_vector, no_unroll>}
  func.return
}

func.func @four(%n : index, %p : !llvm.ptr) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %A = cmem.view %p [] : memref<?xf64>
  scf.for %i = %zero to %n step %one {
    %x = memref.load %A[%i] : memref<?xf64>
    memref.store %x, %A[%zero] : memref<?xf64>
  } {poly.loop = #poly.loop<unroll_by_4, long>}
  func.return
}

// CHECK-LABEL: define dso_local void @parallel
// CHECK:       for.body:
// CHECK:       for.1:
// CHECK:         %x = load double, ptr {{%\d+}}, align 8, !llvm.access.group [[GROUP:!\d+]]
// CHECK:         %y = load double, ptr {{%\d+}}, align 8, !llvm.access.group [[GROUP]]
// CHECK:         store double %z, ptr {{%\d+}}, align 8, !llvm.access.group [[GROUP]]
// CHECK:         br label %for.1, !llvm.loop [[INNER:!\d+]]
// CHECK:         br label %for, !llvm.loop [[OUTER:!\d+]]
// CHECK-LABEL: define dso_local void @alone
// CHECK:         br label %for, !llvm.loop [[ALONE:!\d+]]
// CHECK-NOT:     !prof
// CHECK-LABEL: define dso_local void @four
// CHECK:         br i1 {{%\d+}}, label %for.body, label %for.end, !prof [[LIKELY:!\d+]]
// CHECK:         br label %for, !llvm.loop [[FOUR:!\d+]]
// CHECK-DAG:   [[GROUP]] = distinct !{}
// CHECK-DAG:   [[PROGRESS:!\d+]] = !{!"llvm.loop.mustprogress"}
// CHECK-DAG:   [[ACCESSES:!\d+]] = !{!"llvm.loop.parallel_accesses", [[GROUP]]}
// CHECK-DAG:   [[INNER]] = distinct !{[[INNER]], [[PROGRESS]], [[ACCESSES]]}
// CHECK-DAG:   [[OUTER]] = distinct !{[[OUTER]], [[PROGRESS]]}
// CHECK-DAG:   [[WIDTH:!\d+]] = !{!"llvm.loop.vectorize.width", i32 1}
// CHECK-DAG:   [[INTERLEAVE:!\d+]] = !{!"llvm.loop.interleave.count", i32 1}
// CHECK-DAG:   [[UNROLL:!\d+]] = !{!"llvm.loop.unroll.disable"}
// CHECK-DAG:   [[ALONE]] = distinct !{[[ALONE]], [[PROGRESS]], [[WIDTH]], [[INTERLEAVE]], [[UNROLL]]}
// CHECK-DAG:   [[LIKELY]] = !{!"branch_weights", i32 256, i32 1}
// CHECK-DAG:   [[COUNT:!\d+]] = !{!"llvm.loop.unroll.count", i32 4}
// CHECK-DAG:   [[FOUR]] = distinct !{[[FOUR]], [[PROGRESS]], [[COUNT]]}

// O3-LABEL: define dso_local void @parallel
// O3-NOT:   memcheck
// O3:       fadd <{{[248]}} x double>
// O3-LABEL: define dso_local void @alone
// O3-NOT:   fmul <
// O3:       fmul double
// O3-NOT:   fmul
// O3:       ret void
