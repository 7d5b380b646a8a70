// RUN: polyopt-cc -O3 -march=x86-64-v3 %s -S -o - | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v4 %s -S -emit-llvm -o - | filecheck %s --check-prefix=WIDE

// Without registers for masks, what is kept of an array or replaced is a maximum and a blend, both
// stored as they are: a store under a mask is dear, and is not there for the next iteration of t.
// CHECK-LABEL: best:
// CHECK-NOT: maskmov{{.*}}){{$}}
// CHECK: vmaxps
// CHECK-NOT: maskmov{{.*}}){{$}}
// CHECK: vblendvps
// CHECK-NOT: maskmov{{.*}}){{$}}
// CHECK: retq
// WIDE-LABEL: define {{.*}} @best
// WIDE-NOT: freeze
enum { N = 256 };
void best(int n, float c[restrict][N], float b[restrict N], int a[restrict N])
{
    for (int t = 0; t < n; t++)
        for (int j = 0; j < N; j++) {
            int more = c[t][j] > b[j];
            b[j] = more ? c[t][j] : b[j];
            a[j] = more ? t : a[j];
        }
}
