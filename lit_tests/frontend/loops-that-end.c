// A loop whose condition is no constant may be assumed to end; LLVM is told so (C11 6.8.5p6).
// RUN: polyopt-cc --emit=source %s | filecheck %s
// RUN: polyopt-cc -O2 -fno-poly --emit=llvm %s | filecheck %s --check-prefix=LLVM

// CHECK-LABEL: func.func @steps
// CHECK:         cf.br ^{{.*}} {cmem.progress}
// LLVM-LABEL:  define dso_local void @steps
// LLVM:          br label %{{.*}}, !llvm.loop [[LOOP:!\d+]]
void steps(int n, int step, double *a)
{
    for (int i = 0; i < n; i += step)
        a[i] = 0.0;
}

// CHECK-LABEL: func.func @forever
// CHECK-NOT:     cmem.progress
// LLVM-LABEL:  define dso_local void @forever
// LLVM-NOT:      !llvm.loop
void forever(int n, double *a)
{
    int i = 0;
    while (1) {
        if (i >= n)
            break;
        a[i++] = 0.0;
    }
    for (;;)
        a[0] += 1.0;
}
// LLVM-DAG: [[PROGRESS:!\d+]] = !{!"llvm.loop.mustprogress"}
// LLVM-DAG: [[LOOP]] = distinct !{[[LOOP]], [[PROGRESS]]}
