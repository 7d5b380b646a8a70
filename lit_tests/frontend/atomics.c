// RUN: polyopt-cc -O1 --cache=off -S -o - %s | filecheck %s
// RUN: polyopt-cc -O0 --cache=off --emit=llvm -o - %s | filecheck %s --check-prefix=LLVM

// Each access has the order that is asked for, and no other instruction: what is released or acquired
// costs nothing on this machine, what is sequentially consistent is a locked one.

#include <stdatomic.h>

int acquired(atomic_int *p) { return atomic_load_explicit(p, memory_order_acquire); }
void released(atomic_int *p) { atomic_store_explicit(p, 1, memory_order_release); }
void stored(atomic_int *p) { *p = 1; }
void added(atomic_long *p) { atomic_fetch_add_explicit(p, 1, memory_order_relaxed); }
double scaled(_Atomic double *p, double x) { return *p *= x; }
int wrong(atomic_int *p, int order) { return atomic_load_explicit(p, memory_order_release); }

// CHECK-LABEL: acquired:
// CHECK:       movl (%rdi), %eax
// CHECK-NEXT:  retq
// CHECK-LABEL: released:
// CHECK:       movl $1, (%rdi)
// CHECK-NEXT:  retq
// CHECK-LABEL: stored:
// CHECK:       xchgl %eax, (%rdi)
// CHECK-LABEL: added:
// CHECK:       lock incq (%rdi)
// CHECK-LABEL: scaled:
// CHECK:       lock cmpxchgq
// CHECK:       jne


// LLVM-LABEL: @"polyopt.atomic.fetch_add.relaxed.i64"
// LLVM-NEXT:  atomicrmw add ptr %p, i64 %v monotonic, align 8
// LLVM-LABEL: @"polyopt.atomic.load.acquire.i32"
// LLVM-NEXT:  load atomic i32, ptr %p acquire, align 4
// LLVM-LABEL: @"polyopt.atomic.load.release.i32"
// LLVM-NEXT:  load atomic i32, ptr %p seq_cst, align 4
// LLVM-LABEL: @"polyopt.atomic.mul_fetch.seq_cst.f64"
// LLVM:       cmpxchg weak ptr %p, i64 %seen, i64 %changed seq_cst seq_cst, align 8
// LLVM-LABEL: @"polyopt.atomic.store.release.i32"
// LLVM-NEXT:  store atomic i32 %v, ptr %p release, align 4
// LLVM-LABEL: @"polyopt.atomic.store.seq_cst.i32"
// LLVM-NEXT:  store atomic i32 %v, ptr %p seq_cst, align 4
