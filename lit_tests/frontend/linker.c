// What attributes say to the linker goes along as text, and becomes LLVM's words.
// RUN: polyopt-cc --emit=source %s -o - | filecheck %s
// RUN: polyopt-cc -O0 -emit-llvm -S %s -o - | filecheck %s --check-prefix=LLVM
// CHECK-DAG: cmem.global "external" @shown size 4 align 4 {{.*}}cmem.linker = {section = "mine"}}
// LLVM-DAG: @shown = dso_local global [4 x i8] zeroinitializer, section "mine", align 4
int shown __attribute__((section("mine")));
// LLVM-DAG: @each = dso_local thread_local global [4 x i8]
_Thread_local int each = 1;
// LLVM-DAG: @missing = extern_weak global [4 x i8], align 4
extern int missing __attribute__((weak));
// LLVM-DAG: @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 101, ptr @first, ptr null }]
__attribute__((constructor(101))) static void first(void) { each = 2; }
// LLVM-DAG: define weak hidden i32 @soft(i32 %a)
__attribute__((weak, visibility("hidden"))) int soft(int a) { return a; }
// LLVM-DAG: @other = alias i8, ptr @soft
int other(int) __attribute__((alias("soft")));
// LLVM-DAG: declare i32 @pure(i32) #[[PURE:\d+]]
int pure(int) __attribute__((const));
// LLVM-DAG: @chosen = ifunc void (), ptr @choose
int chosen(void) __attribute__((ifunc("choose")));
void *choose(void) { return (void *)soft; }
// LLVM-DAG: @inside = external hidden global [4 x i8], align 4
extern int inside __attribute__((visibility("hidden")));
// LLVM-DAG: @perhaps = extern_weak hidden global [4 x i8], align 4
extern int perhaps __attribute__((weak, visibility("internal")));
// LLVM-DAG: @theirs = external global [4 x i8], align 4
extern int theirs __attribute__((visibility("protected")));
// LLVM-DAG: declare hidden i32 @within(i32)
#pragma GCC visibility push(hidden)
int within(int);
#pragma GCC visibility pop
int reach(void) { return within(inside) + theirs + (&perhaps ? perhaps : 0); }
int use(void) { return soft(1) + other(2) + pure(3) + (&missing ? missing : 0); }
// LLVM: attributes #[[PURE]] = { nounwind willreturn memory(none) }
