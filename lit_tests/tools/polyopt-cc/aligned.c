// What is promised of alignment is a fact of the pointer, on its parameter: LLVM's vectors and ours are then aligned. It is promised
// where the function always says so, of a pointer that it is passed and does not change; with an offset nothing is. -faligned promises
// it of all pointers to numbers, though not to bytes, nor to pointers.
// RUN: polyopt-cc -O3 -march=x86-64-v3 -S %s -o - | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v3 --emit=source %s -o - | filecheck %s --check-prefix=IR
// RUN: polyopt-cc -O3 -march=x86-64-v3 -faligned --emit=source %s -o - | filecheck %s --check-prefix=ALL
// RUN: not polyopt-cc -DWRONG --emit=source %s -o - 2>&1 | filecheck %s --check-prefix=WRONG

void add(int n, double *restrict a, const double *b)
{
    double *p = __builtin_assume_aligned(a, 64);
    const double *q = (const double *)__builtin_assume_aligned(b, 32);
    for (int i = 0; i < n; i++)
        p[i] = q[i] + 1.0;
}

// IR-LABEL: @add
// IR-SAME:  %a: !llvm.ptr {llvm.noalias, llvm.align = 64 : i64}, %b: !llvm.ptr {llvm.align = 32 : i64}
// ALL-LABEL: @add
// ALL-SAME:  %b: !llvm.ptr {llvm.align = 64 : i64})
// CHECK-LABEL: add:
// CHECK:       vmovapd %ymm

void perhaps(int n, double *a, char *c, double **rows)
{
    if (n > 4)
        a = __builtin_assume_aligned(a, 64, 8);
    a[0] = c[0] + rows[0][0];
}

// IR-LABEL: @perhaps
// IR-SAME:  %a: !llvm.ptr, %c: !llvm.ptr, %rows: !llvm.ptr)
// ALL-LABEL: @perhaps
// ALL-SAME:  %a: !llvm.ptr {llvm.align = 64 : i64}, %c: !llvm.ptr, %rows: !llvm.ptr)

#ifdef WRONG
void *wrong(void *p) { return __builtin_assume_aligned(p, 48); }
// WRONG: aligned.c:37:{{.*}} error: the alignment is not a constant power of two
#endif
