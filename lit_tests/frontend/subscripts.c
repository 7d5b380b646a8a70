// RUN: polyopt-opt %s | filecheck %s
// An access is one load or store with all its subscripts, on a view of the declared shape.

double global[10][20];

// The sizes of a parameter are fixed on entry, once; views of what is known on entry stand there.
// CHECK-LABEL: func.func @parameters
// CHECK-NEXT:    %[[M:.*]] = arith.index_cast %m : i32 to index
// CHECK-NOT:     index_cast %m
// CHECK:         %[[A:.*]] = cmem.view %a[%[[M]]] : memref<?x?xf64>
// CHECK:         %[[B:.*]] = cmem.view %b[%[[M]]] : memref<?x5x?xf32>
// CHECK:         %[[P:.*]] = cmem.view %p[] : memref<?xf64>
// CHECK:         memref.load %[[A]][%{{.*}}, %{{.*}}] : memref<?x?xf64>
// CHECK:         memref.load %[[B]][%{{.*}}, %{{.*}}, %{{.*}}] : memref<?x5x?xf32>
// CHECK:         memref.load %[[P]][%{{.*}}] : memref<?xf64>
double parameters(int n, int m, double a[n][m], float (*b)[5][m], double *p, int i) {
    return a[i][i] + b[i][1][2] + p[i];
}

// CHECK-LABEL: func.func @globals
// CHECK:         %[[G:.*]] = cmem.address_of @global
// CHECK-NEXT:    %[[V:.*]] = cmem.view %[[G]][] : memref<10x20xf64>
// CHECK-NOT:     cmem.view
// CHECK:         memref.store %{{.*}}, %[[V]][%{{.*}}, %{{.*}}] : memref<10x20xf64>
void globals(int i, int j) { global[i][j] = global[j][i]; }

// CHECK-LABEL: func.func @locals
// CHECK:         %a = memref.alloca() : memref<4x4xi32>
// CHECK:         memref.store %{{.*}}, %a[%{{.*}}, %{{.*}}] : memref<4x4xi32>
// CHECK:         memref.load %a[%{{.*}}, %{{.*}}] : memref<4x4xi32>
int locals(int i) {
    int a[4][4];
    a[i][0] = 1;
    return a[0][i];
}

// A signed subscript is sign-extended, an unsigned one zero-extended.
// CHECK-LABEL: func.func @signs
// CHECK-DAG:     %[[S:.*]] = arith.index_cast %s : i32 to index
// CHECK-DAG:     %[[W:.*]] = arith.extui %u : i32 to i64
// CHECK-DAG:     %[[U:.*]] = arith.index_cast %[[W]] : i64 to index
// CHECK:         memref.load %{{.*}}[%[[S]]] : memref<?xi32>
// CHECK:         memref.load %{{.*}}[%[[U]]] : memref<?xi32>
int signs(const int *p, int s, unsigned u) { return p[s] + p[u]; }

// Pointers: a dereference has rank 0, *(p + i) is p[i], a row is an address.
// CHECK-LABEL: func.func @pointers
// CHECK-DAG:     %[[ONE:.*]] = cmem.view %p[] : memref<f64>
// CHECK-DAG:     %[[MANY:.*]] = cmem.view %p[] : memref<?xf64>
// CHECK:         memref.load %[[ONE]][] : memref<f64>
// CHECK:         memref.load %[[MANY]][%{{.*}}] : memref<?xf64>
// CHECK:         cmem.address %{{.*}}[%{{.*}}, %{{.*}}] : memref<?x8xf64>
// CHECK:         cmem.offset %p, %{{.*}} stride 8
double pointers(double *p, double (*m)[8], int i) {
    double x = *p + *(p + i);
    double *row = m[i];
    row = p + i;
    return x + *row;
}
