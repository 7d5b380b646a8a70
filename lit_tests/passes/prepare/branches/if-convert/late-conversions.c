// A number or what an integer is cut to: chosen as integers and cut then, so that a clamp with early
// returns is a clamp. The number is the integer that is nearest to what is compared with.
// RUN: polyopt-opt %s -p 'promote-scalars{all=true},clean-values,merge-returns,if-convert' | filecheck %s

// CHECK-LABEL: func.func private @bytes(
// CHECK:         [[HIGH:%.*]] = arith.select {{%.*}}, {{%.*}}, %x : i32
// CHECK:         [[ZERO:%.*]] = arith.constant 0 : i32
// CHECK:         [[BOTH:%.*]] = arith.select {{%.*}}, [[ZERO]], [[HIGH]] : i32
// CHECK-NEXT:    arith.trunci [[BOTH]] : i32 to i8
static unsigned char bytes(int x)
{
    unsigned char r;
    if (x < 0)
        r = 0;
    else if (x > 255)
        r = 255;
    else
        r = (unsigned char)x;
    return r;
}

// CHECK-LABEL: func.func private @signed_bytes(
// CHECK:         arith.constant -128 : i32
// CHECK:         arith.select {{.*}} : i32
// CHECK-NEXT:    arith.trunci
static signed char signed_bytes(int x)
{
    signed char r;
    if (x < -128)
        r = -128;
    else
        r = (signed char)x;
    return r;
}

// Another condition says nothing of the value.
// CHECK-LABEL: func.func private @other(
// CHECK:         arith.trunci %x : i32 to i8
// CHECK:         arith.select {{.*}} : i8
static unsigned char other(int x, float y)
{
    unsigned char r;
    if (y < 0)
        r = 0;
    else
        r = (unsigned char)x;
    return r;
}

int all(int x, float y) { return bytes(x) + signed_bytes(x) + other(x, y); }
