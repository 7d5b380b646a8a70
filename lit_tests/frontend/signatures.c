// RUN: polyopt-opt %s | filecheck %s
// Functions keep the C ABI, and what C says of their parameters is kept beside.

int printf(const char *, ...);
extern double external[100];
static double internal[2] = {1.5, 0};
const char *const names[] = {"first", "second"};

// CHECK-DAG:     cmem.global "internal" @internal size 16 align 8 bytes
// CHECK-DAG:     cmem.global "external" constant @names size 16 align 8 {{.*}}relocations
// CHECK-DAG:     cmem.global "external" declaration @external size 800 align 8
// CHECK-DAG:     func.func private @printf(!llvm.ptr) -> i32 {{.*}}cmem.variadic

// CHECK-LABEL: func.func @kernel(%n: i32, %a: !llvm.ptr {llvm.noalias}, %x: !llvm.ptr, %s: f32, %c: i8 {llvm.signext}, %v: !llvm.ptr)
// CHECK-SAME:    cmem.result = "void"
// CHECK-SAME:    {name = "n", ctype = "int", kind = "scalar", element = "i32"}
// CHECK-SAME:    {name = "a", ctype = "double (*restrict)[n + 1]", kind = "array", element = "f64", shape = ["n", "n + 1"]}
// CHECK-SAME:    {name = "x", ctype = "const float *", kind = "pointer", element = "f32", const}
// CHECK-SAME:    {name = "s", ctype = "float", kind = "scalar", element = "f32"}
// CHECK-SAME:    {name = "c", ctype = "char", kind = "scalar", element = "i8"}
// CHECK-SAME:    {name = "v", ctype = "void *", kind = "pointer", element = "void"}
void kernel(int n, double a[restrict n][n + 1], const float *x, float s, char c, void *v) {}

// CHECK-LABEL: func.func @shapes
// CHECK-SAME:    name = "p", ctype = "int (*)[m]", kind = "array", element = "i32", shape = ["", "m"]
// CHECK-SAME:    name = "q", ctype = "unsigned char *", kind = "array", element = "u8", shape = [""]
// CHECK-SAME:    name = "r", ctype = "long *", kind = "array", element = "i64", shape = ["7"]
void shapes(int m, int (*p)[m], unsigned char q[], long r[3 + 4]) {}

// CHECK-LABEL: func.func private @hidden() -> i32
// CHECK:         cmem.call_variadic @printf fixed 1(%{{.*}}, %{{.*}}) : (!llvm.ptr, f64) -> i32
static int hidden(void) { return printf("%f", external[1] + internal[0]); }

// CHECK-LABEL: func.func @use
// CHECK:         func.call @hidden() : () -> i32
// CHECK:         cmem.call_indirect %f(%{{.*}}) : (i32) -> i32
int use(int (*f)(int)) { return hidden() + f(1) + (names[1] != 0); }
