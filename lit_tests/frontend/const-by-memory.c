// A function that only computes reads the memory in which its arguments are passed, and writes that of
// its result.
// RUN: polyopt-cc --emit=llvm %s -o - | filecheck %s
struct large { double a[5]; };
// CHECK-DAG: declare double @taken(ptr {{.*}}byval{{.*}}) nounwind memory(argmem: readwrite)
__attribute__((const)) double taken(struct large);
// CHECK-DAG: declare void @given(ptr {{.*}}sret{{.*}}, double) nounwind memory(read, argmem: readwrite)
__attribute__((pure)) struct large given(double);
// CHECK-DAG: declare double @number(double) nounwind memory(none)
__attribute__((const)) double number(double);
double use(struct large one) { return taken(one) + given(number(2)).a[1]; }
