// What data are multiplied to is one number where it is a subscript: it is not multiplied out and computed anew, but
// for what the loops or parameters are in.
//
// RUN: polyopt-cc -O3 --print-after=poly-to-affine --print-only=f -c -o /dev/null %s 2>&1 | filecheck %s

double table[1000], out[128];
signed char spin[129];

// CHECK:      affine.for
// CHECK:        %[[S:.*]] = arith.addi
// CHECK-NEXT:   %[[E:.*]] = arith.muli %{{.*}}, %[[S]]
// CHECK-NOT:    arith.muli
// CHECK:        %[[I:.*]] = arith.index_cast %[[E]] : i32 to index
// CHECK-NOT:    arith.muli
// CHECK:        memref.load %table[
void f(int n) {
    for (int i = 1; i < n; i++)
        out[i] = table[spin[i] * (spin[i - 1] + spin[i + 1]) + 4];
}
