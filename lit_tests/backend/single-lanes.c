// The last of 65 bytes is computed in a lane of 32 bits, under a mask of one lane, and stored as the
// byte it is; so it is if LLVM has to inline the function to know the mask. A mask of more lanes
// stays.
// RUN: polyopt-cc -O3 -march=x86-64-v4 -S %s -o - | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v4 -S -emit-llvm %s -o - | filecheck %s --check-prefix=LLVM

unsigned char u[100];

// CHECK-LABEL: single:
// CHECK-NOT:   mov{{[wlq]}} {{.*}}+64(%rip)
// CHECK:       {{movb|vpextrb}} {{.*}}+64(%rip)
// LLVM-LABEL:  @single(
// LLVM-NOT:    @llvm.masked.store
// LLVM:        store i8 %.single.lane.{{[0-9]+}}, ptr getelementptr {{.*}}@u, i64 64), align {{[0-9]+}}
void single(int n)
{
    for (int i = 0; i < 65; i++) u[i] = (i + n) % 9;
}

// LLVM-LABEL:  @three(
// LLVM:        @llvm.masked.store.v16i8.p0({{.*}}<i1 true, i1 true, i1 true, i1 false
void three(int n)
{
    for (int i = 0; i < 67; i++) u[i] = (i + n) % 9;
}

static inline __attribute__((always_inline)) void fill(int m, int n)
{
    for (int i = 0; i < m; i++) u[i] = (i + n) % 9;
}

// CHECK-LABEL: inlined:
// CHECK-NOT:   mov{{[wlq]}} {{.*}}+32(%rip)
// CHECK:       {{movb|vpextrb}} {{.*}}+32(%rip)
void inlined(int n) { fill(33, n); }
