// RUN: polyopt-cc -O1 --emit=source %s -o - | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v3 --remarks -c -o %t.o %s 2>&1 | filecheck %s --check-prefix=LANES

// Variables narrower than int are updated in their own type, by what is made of lower bits alone: sums of
// bytes are reductions. Constants, quotients, elements and _Bool are computed as int.

// CHECK-LABEL: func.func @sums
// CHECK:         arith.xori %{{.*}}, %{{.*}} : i8
// CHECK:         %[[WIDER:.*]] = arith.extui %{{.*}} : i8 to i16
// CHECK:         arith.addi %{{.*}}, %[[WIDER]] : i16
// CHECK-NOT:     arith.trunci
// CHECK:         func.return
// LANES:       reduction of {{.*}} along i
unsigned sums(int n, const unsigned char *a)
{
    unsigned char x = 0;
    unsigned short sum = 0;
    for (int i = 0; i < n; i++) {
        x ^= a[i];
        sum += a[i];
    }
    return sum + 65536u * x;
}

// CHECK-LABEL: func.func @as_int
// CHECK:         arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK:         arith.divsi %{{.*}}, %{{.*}} : i32
// CHECK:         arith.shrsi %{{.*}}, %{{.*}} : i32
// CHECK:         arith.ori %{{.*}}, %{{.*}} : i32
// CHECK:         arith.xori %{{.*}}, %{{.*}} : i32
// CHECK:         func.return
int as_int(short a, short by, _Bool flag, short *element)
{
    a += 3;
    a /= by;
    a >>= by;
    flag |= by;
    element[a] ^= by;
    return a + flag;
}
