// RUN: polyopt-opt %s | filecheck %s
// Where variables live: allocas at the start, plain values, VLAs at their declaration.

// A parameter that nobody stores to is its argument; one that is stored to is a variable.
// CHECK-LABEL: func.func @parameters(%a: i32, %b: i32) -> i32

// CHECK:         %[[B:.*]] = memref.alloca() : memref<i32>
// CHECK-NEXT:    memref.store %b, %[[B]][] : memref<i32>
int parameters(int a, int b) {
    b += a;
    return b;
}

// Fixed-size variables stand at the start of the entry block, wherever they are declared.
// CHECK-LABEL: func.func @nested
// CHECK:         %late = memref.alloca() : memref<f64>
// CHECK:         %array = memref.alloca() : memref<3xi8>
// CHECK:         cf.cond_br
// CHECK-NOT:     memref.alloca
void nested(int c) {
    if (c) {
        double late = 1;
        char array[3];
        array[0] = late;
    }
}

// A VLA frees its memory when its block is left, on every way out.
// CHECK-LABEL: func.func @variable_length
// CHECK:         %[[MARK:.*]] = cmem.stack_save
// CHECK:         %a = memref.alloca(%{{.*}}, %{{.*}}) : memref<?x?xi32>
// CHECK:         cmem.stack_restore %[[MARK]]
// CHECK-NEXT:    cf.br
// CHECK:         cmem.stack_restore %[[MARK]]
// CHECK-NEXT:    cf.br
void variable_length(int n) {
    for (;;) {
        int a[n][n];
        a[0][0] = n;
        if (n) break;
    }
}

// That of a function itself is freed by the return.
// CHECK-LABEL: func.func @outermost
// CHECK-NOT:     stack_save
// CHECK:         memref.alloca(%{{.*}}) : memref<?xf32>
// CHECK:         func.return
float outermost(int n) {
    float a[n];
    a[0] = 1;
    return a[0];
}

// Volatile objects are loaded and stored by operations that nothing removes.
// CHECK-LABEL: func.func @devices
// CHECK:         cmem.volatile_store
// CHECK:         cmem.volatile_load
int devices(volatile int *p) {
    *p = 1;
    return *p;
}

// Structs are bytes; their members lie at constant offsets.
// CHECK-LABEL: func.func @records
// CHECK:         memref.alloca() {alignment = 8 : i64} : memref<24xi8>
// CHECK:         %[[AT:.*]] = cmem.offset %{{.*}}, %{{.*}} stride 1
// CHECK-NEXT:    cmem.view %[[AT]][] : memref<f64>
// CHECK:         cmem.copy %{{.*}} to %{{.*}} size 24 align 8
struct record { char c; double d; int i; };
void records(struct record *to) {
    struct record r;
    r.d = 1;
    *to = r;
}

// What items cover is stored once, and what they leave is zero as a number of its own.
// CHECK-LABEL: func.func @partly
// CHECK-NOT:     memref.store {{.*}} : memref<i8>
// CHECK:         memref.store %{{.*}} : memref<f64>
// CHECK-NOT:     memref.store {{.*}} : memref<i8>
// CHECK:         func.return
double partly(int k) {
    struct { int n, m; double x; } whole = {k, 2}, rest = {.x = 1.0};
    return whole.x + rest.n;
}
