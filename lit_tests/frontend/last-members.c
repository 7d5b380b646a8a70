// RUN: polyopt-opt %s | filecheck %s

// The last member of what a pointer leads to may be longer than it says; an element of an array of
// structs, a member before others and a struct that is a variable have the room that they have. The
// members of a union all end it, and an array that a pointer leads to goes on behind its end.
struct inner { int k; double last[2][3]; };
struct outer { double first[4]; struct inner in; };

// CHECK-LABEL: func.func @behind
// CHECK-DAG: cmem.view {{.*}} : memref<?x3xf64>
// CHECK-DAG: cmem.view {{.*}} : memref<?x3xf64>
// CHECK-DAG: cmem.view {{.*}} : memref<4xf64>
double behind(struct outer *p, struct inner *q, int i)
{
    return p->in.last[i][1] + q->last[i][2] + p->first[i];
}

// CHECK-LABEL: func.func @bounded
// CHECK: cmem.view {{.*}} : memref<2x3xf64>
// CHECK: cmem.view {{.*}} : memref<2x3xf64>
double bounded(struct inner *p, int i)
{
    static struct inner own;
    return p[2].last[i][1] + own.last[i][0];
}

union both { int k; double last[5]; };

// CHECK-LABEL: func.func @shared
// CHECK: cmem.view {{.*}} : memref<?xf64>
double shared(union both *p, int i)
{
    return p->last[i];
}

// CHECK-LABEL: func.func @own_union
// CHECK: cmem.view {{.*}} : memref<5xf64>
double own_union(int i)
{
    static union both own;
    return own.last[i];
}

// CHECK-LABEL: func.func @all_of_it
// CHECK: cmem.view {{.*}} : memref<?x8xf64>
double all_of_it(double (*p)[4][8], int i)
{
    return (*p)[i][1];
}
