// RUN: polyopt-cc -fopenmp=libgomp --emit=source %s | polyopt-opt -p omp-to-teams | filecheck %s

// A parallel region is a function of member, size and what it uses; a static loop is one over the
// member's part, with the source's counter, and computed without a call.

// CHECK-LABEL: func.func private @saxpy.omp.0(%member: index, %size: index, %x: !llvm.ptr {llvm.noalias}, %y: !llvm.ptr {llvm.noalias}, %n: i32, %a: f64)
// CHECK-NOT:   func.call
// CHECK:       %[[EACH:.*]] = arith.divsi %[[N:.*]], %[[SIZE:.*]] : i64
// CHECK:       arith.remsi %[[N]], %[[SIZE]] : i64
// CHECK:       ^bb1(%[[I:.*]]: i32):
// CHECK-NEXT:    arith.cmpi slt, %[[I]], %{{.*}} : i32
// CHECK:         arith.addi %[[I]], %{{.*}} overflow<nsw> : i32
// CHECK-NEXT:    cf.br ^bb1(%{{.*}} : i32) {cmem.progress}
// CHECK-LABEL: func.func @saxpy(
// CHECK:         %[[COUNT:.*]] = func.call @omp_get_max_threads() : () -> i32
// CHECK:         team.fork @saxpy.omp.0(%x, %y, %n, %a) threads(%{{.*}}) : !llvm.ptr, !llvm.ptr, i32, f64
void saxpy(int n, double *restrict y, const double *restrict x, double a) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) y[i] += a * x[i];
}
