// RUN: polyopt-cc -O2 -w --emit=optimised-llvm -o - %s | filecheck %s

// What nothing was stored to has some value: where all of its bits are masked, or one of two equal
// ones is chosen by it, the result is known, as with gcc and clang.

static int masked(int b, int c)
{
    int x;
    if (b)
        return x & c;
    return 1;
}

int result_of_mask(void)
{
    return masked(1, 0);
}

int result_of_choice(void)
{
    int i, *q;
    i = i ? 0 : 0l;
    q = i ? (int *)16 : 0;
    return q == 0;
}

// CHECK-LABEL: @result_of_mask
// CHECK: ret i32 0
// CHECK-LABEL: @result_of_choice
// CHECK: ret i32 1
