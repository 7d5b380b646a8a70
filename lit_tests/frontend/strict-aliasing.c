// RUN: polyopt-cc --emit=source -o - %s | filecheck %s
// RUN: polyopt-cc --emit=source -DUNION -o - %s | filecheck %s --check-prefix=PUNS
// RUN: polyopt-cc --emit=source -DPARTS -o - %s | filecheck %s --check-prefix=PUNS
// RUN: polyopt-cc --emit=source -fno-strict-aliasing -o - %s | filecheck %s --check-prefix=PUNS
// RUN: polyopt-cc -O1 --emit=llvm -o - %s | filecheck %s --check-prefix=LLVM

// Memory is accessed as of its type, unless a program reads members of unions, or passes records
// in registers, which go through memory as integers.
// CHECK:    builtin.module attributes {{.*}}cmem.strict_aliasing
// PUNS:     builtin.module
// PUNS-NOT: strict_aliasing

#ifdef UNION
int bits(float x)
{
    union { float f; int i; } both;
    both.f = x;
    return both.i;
}
#endif
#ifdef PARTS
struct pair { float a, b; };
float sum(struct pair p)
{
    return p.a + p.b;
}
#endif

// LLVM-DAG: load ptr, ptr %{{.*}}, !tbaa ![[POINTER:[0-9]+]]
// LLVM-DAG: store double {{.*}}, !tbaa ![[DOUBLE:[0-9]+]]
// LLVM-DAG: store i8 1, ptr %flags, align 1{{$}}
// LLVM-DAG: ![[POINTER]] = !{![[P:[0-9]+]], ![[P]], i64 0}
// LLVM-DAG: ![[DOUBLE]] = !{![[D:[0-9]+]], ![[D]], i64 0}
// LLVM-DAG: ![[P]] = !{!"ptr", ![[CHARACTER:[0-9]+]], i64 0}
// LLVM-DAG: ![[D]] = !{!"double", ![[CHARACTER]], i64 0}
void set(double **rows, char *flags)
{
    rows[0][1] = 2.0;
    flags[0] = 1;
}
