// RUN: polyopt-cc -O1 --poly=isl --emit=poly %s | filecheck %s

// A scalar that is also accessed as a row of one element: both are a row.

int f(int n, int *restrict r)
{
    static int one;
    int *p = &one;
    int(*row)[1] = (int(*)[1])&one;
    for (int i = 0; i < n; i++) {
        r[i] = *p + (*row)[0];
        (*row)[0] = i;
    }
    return one;
}

// CHECK: poly.scop "f"
// CHECK: poly.read %one <"[n] -> { S0[i] -> one[0] }"> : memref<?xi32>
// CHECK: poly.read %one <"[n] -> { S0[i] -> one[0] }"> : memref<?xi32>
// CHECK: poly.write %{{.*}}, %one <"[n] -> { S1[i] -> one[0] }"> : memref<?xi32>
