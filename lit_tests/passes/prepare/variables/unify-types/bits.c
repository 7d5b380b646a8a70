// Memory that is read as numbers and as their bits becomes an array of one type, and so a static control part. What has another size,
// and a view that goes on to somebody else, stays as it is.
// RUN: polyopt-opt %s -p "promote-scalars,clean-values,unify-types" | filecheck %s
// RUN: polyopt-cc -O3 -fno-strict-aliasing --skip-pass=keep-what-pays --remarks -c %s -o %t.o 2>&1 | filecheck %s --check-prefix=FOUND
// RUN: polyopt-cc -O3 -fno-strict-aliasing --skip-pass=unify-types --remarks -c %s -o %t.o 2>&1 | filecheck %s --check-prefix=WITHOUT

void magnitudes(int n, double *restrict a, double *restrict b)
{
    long *bits = (long *)a;
    for (int i = 0; i < n; i++) {
        bits[i] &= 0x7fffffffffffffff;
        b[i] = a[i] + 1.0;
    }
}
// CHECK-LABEL: @magnitudes
// CHECK-NOT:   memref<?xi64>
// CHECK:       [[BITS:%.*]] = arith.bitcast %{{.*}} : f64 to i64
// CHECK-NEXT:  [[MASKED:%.*]] = arith.andi [[BITS]]
// CHECK-NEXT:  [[NUMBER:%.*]] = arith.bitcast [[MASKED]] : i64 to f64
// CHECK-NEXT:  memref.store [[NUMBER]], %{{.*}} : memref<?xf64>
// FOUND: bits.c:10:{{.*}} static control part: 2 statements, 2 arrays
// WITHOUT: bits.c:12:{{.*}} the same memory is accessed as elements of different types

void signs(int n, float *a, unsigned char *b)
{
    unsigned *bits = (unsigned *)a;
    unsigned char *bytes = (unsigned char *)a;
    for (int i = 0; i < n; i++) {
        b[i] = bits[i] >> 31;
        b[i] += bytes[i];
        a[i] = 0;
    }
}
// CHECK-LABEL: @signs
// CHECK:       memref.load {{.*}} : memref<?xi32>
// CHECK-NOT:   arith.bitcast

struct row { double weight; long count; };
void members(int n, struct row *rows)
{
    for (int i = 0; i < n; i++) {
        rows[i].weight *= 2.0;
        rows[i].count += 1;
    }
}
// CHECK-LABEL: @members
// CHECK-NOT:   arith.bitcast

void integers(int n, long *a, unsigned long *b)
{
    for (int i = 0; i < n; i++)
        a[i] += (long)b[i];
}
// CHECK-LABEL: @integers
// CHECK-NOT:   arith.bitcast
