// A bit-field is the bytes that hold it, read and written as such, and no bytes beside them; so are
// the members of packed structs, which say how little they are aligned.
// RUN: polyopt-cc --emit=source %s -o - | filecheck %s
// RUN: polyopt-cc --emit=source %s -o - | polyopt-opt | filecheck %s
struct bits { unsigned a : 3; int b : 7; char c; };
struct __attribute__((packed)) packed { char c; double d; };
// CHECK-LABEL: @get
int get(struct bits *p) {
    // The bits 3 to 9 lie in two bytes.
    // CHECK: %[[V:.*]] = cmem.view %{{.*}}[] : memref<i16>
    // CHECK: cmem.unaligned_load %[[V]][] align 1 : memref<i16>
    // CHECK-NOT: memref<i32>
    return p->b;
}
// CHECK-LABEL: @set
void set(struct bits *p) {
    // CHECK: %[[OLD:.*]] = cmem.unaligned_load %{{.*}}[] align 1 : memref<i8>
    // CHECK: %[[KEPT:.*]] = arith.andi %[[OLD]]
    // CHECK: %[[NEW:.*]] = arith.ori %[[KEPT]]
    // CHECK: cmem.unaligned_store %[[NEW]], %{{.*}}[] align 1 : memref<i8>
    p->a = 5;
}
// CHECK-LABEL: @packed
double packed(struct packed *p) {
    // CHECK: cmem.unaligned_load %{{.*}}[] align 1 : memref<f64>
    return p->d;
}
