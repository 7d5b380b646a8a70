// RUN: polyopt-opt %s | polyopt-opt | filecheck %s
// RUN: polyopt-opt %s --print-op-generic | polyopt-opt | filecheck %s
// RUN: polyopt-opt -t polyopt-llvm %s | filecheck %s --check-prefix LLVM

// Accesses that are atomic are read and printed, and become LLVM's; floating-point ones go by bits.

// CHECK:      %0 = ompx.atomic_read %m[%i] : memref<4xf64> -> f64
// CHECK-NEXT: ompx.atomic_write %0, %m[%i] : f64, memref<4xf64>
// CHECK-NEXT: %1, %2 = ompx.compare_exchange %0, %x, %m[%i] : f64, f64, memref<4xf64> -> f64
// CHECK-NEXT: %3 = ompx.fetch "add" %n, %c[] : i32, memref<i32> -> i32
// CHECK-NEXT: ompx.fence

// LLVM-LABEL: define dso_local void @accesses
// LLVM:       load atomic i64, ptr {{.*}} seq_cst, align 8
// LLVM:       store atomic i64 {{.*}} seq_cst, align 8
// LLVM:       cmpxchg ptr {{.*}}, i64 {{.*}}, i64 {{.*}} seq_cst seq_cst, align 8
// LLVM:       atomicrmw add ptr %c, i32 %n seq_cst, align 4
// LLVM-NEXT:  fence seq_cst
func.func @accesses(%m: memref<4xf64>, %c: memref<i32>, %i: index, %x: f64, %n: i32) {
  %0 = ompx.atomic_read %m[%i] : memref<4xf64> -> f64
  ompx.atomic_write %0, %m[%i] : f64, memref<4xf64>
  %1, %2 = ompx.compare_exchange %0, %x, %m[%i] : f64, f64, memref<4xf64> -> f64
  %3 = ompx.fetch "add" %n, %c[] : i32, memref<i32> -> i32
  ompx.fence
  func.return
}

// A task's arguments are copied by the runtime.
// LLVM-LABEL: define dso_local void @spawns
// LLVM:       call void @GOMP_task(ptr @work.call, ptr {{.*}}, ptr null, i64 ptrtoint
// LLVM:       store ptr inttoptr (i64 2 to ptr), ptr
// LLVM:       store ptr inttoptr (i64 1 to ptr), ptr
// LLVM:       call void @GOMP_task(ptr @work.call
// LLVM:       define internal void @work.call(ptr %live)
func.func private @work(%n: i32, %m: memref<4xf64>) {
  func.return
}
func.func @spawns(%m: memref<4xf64>, %n: i32, %a: !llvm.ptr, %b: !llvm.ptr) {
  "ompx.spawn"(%n, %m, %n) <{callee = @work, operandSegmentSizes = array<i32: 2, 0, 1, 0, 0>}> : (i32, memref<4xf64>, i32) -> ()
  "ompx.spawn"(%n, %m, %n, %a, %b) <{callee = @work, operandSegmentSizes = array<i32: 2, 0, 1, 1, 1>}> : (i32, memref<4xf64>, i32, !llvm.ptr, !llvm.ptr) -> ()
  func.return
}

