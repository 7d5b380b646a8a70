// An error in a header says how the header came in, and the errors behind it are told, too.
// RUN: printf 'int one(void) { return first; }\nint two(void) { return second; }\n' > %t.h
// RUN: not polyopt-cc -c -include %t.h %s -o %t.o 2>&1 | filecheck %s

int three(void) { return third; }

// CHECK: {{.*}}.h:1:24: error: use of undeclared name 'first'
// CHECK: {{.*}}.h:2:24: error: use of undeclared name 'second'
// CHECK: errors-in-headers.c:5:26: error: use of undeclared name 'third'
