// RUN: polyopt-opt %s | polyopt-opt | filecheck %s
// RUN: polyopt-opt %s --print-op-generic | polyopt-opt | filecheck %s
// RUN: polyopt-opt -t polyopt-llvm %s | filecheck %s --check-prefix GNU

// Each operation of the dialect is read and printed, and becomes what GNU's runtime calls for.

// CHECK:      %first = team.take %c[], %one : memref<i64>
// CHECK-NEXT: team.wait %c[], %one : memref<i64>
// CHECK:      team.barrier
// CHECK-NEXT: team.post %c[], %size : memref<i64>

// GNU-LABEL: define internal void @body(i64 %member, i64 %size, ptr %A, i64 %0, ptr %c)
// GNU:       %first = atomicrmw add ptr %c, i64 1 acq_rel, align 8
// GNU-NEXT:  call void @polyopt.wait(ptr %c, i64 1)
// GNU:       call void @GOMP_barrier()
// GNU-NEXT:  store atomic i64 %size, ptr %c release, align 8
func.func private @body(%member: index, %size: index, %A: memref<?xf64>, %c: memref<i64>) {
  %one = arith.constant 1 : index
  %first = team.take %c[], %one : memref<i64>
  team.wait %c[], %one : memref<i64>
  %v = arith.constant 2.0 : f64
  memref.store %v, %A[%first] : memref<?xf64>
  team.barrier
  team.post %c[], %size : memref<i64>
  func.return
}

// CHECK:      %n = team.available
// CHECK-NEXT: team.fork @body(%A, %c) threads(%n) : memref<?xf64>, memref<i64>
// CHECK-NEXT: team.fork @alone() threads(%n){{$}}

// GNU-LABEL: define dso_local void @run
// GNU:       call i32 @omp_get_max_threads()
// GNU:       call void @GOMP_parallel(ptr @body.member, ptr %live, i32 %{{.*}}, i32 0)
// GNU:       call void @GOMP_parallel(ptr @alone.member, ptr null, i32 %{{.*}}, i32 0)
func.func @run(%A: memref<?xf64>) {
  %c = memref.alloca() : memref<i64>
  %n = team.available
  team.fork @body(%A, %c) threads(%n) : memref<?xf64>, memref<i64>
  team.fork @alone() threads(%n)
  func.return
}

func.func private @alone(%member: index, %size: index) {
  func.return
}

// GNU-LABEL: define internal void @body.member(ptr %live)
// GNU:       %member32 = call i32 @omp_get_thread_num()
// GNU:       call void @body(i64 %member, i64 %size, ptr %live.0, i64 %live.1, ptr %live.2)
