// RUN: polyopt-cc -O3 -march=x86-64-v4 -ffast-math --remarks -c -o %t.o %s 2>&1 | filecheck %s

// What a loop sums up with another one changes: once LLVM has unrolled both, it has lanes for each of them, but not
// for the loop around, whose next iteration waits for the sum.

float w[32], x[2032], d[2000], e[2000];

// CHECK:      weights-changed.c:11:{{.*}} as it was written: 5{{[0-9]}},{{...}} cycles are expected of it
void adapt(void)
{
    for (int i = 0; i < 2000; i++) {
        float y = 0;
        for (int k = 0; k < 32; k++)
            y += w[k] * x[i + k];
        float r = d[i] - y;
        e[i] = r;
        for (int k = 0; k < 32; k++)
            w[k] += r * x[i + k];
    }
}

// Where they stay as they are, iterations of the loop around are lanes.

// CHECK:      weights-changed.c:27:{{.*}} {{[0-9]}},{{...}} cycles of the source's order
void filter(void)
{
    for (int i = 0; i < 2000; i++) {
        float y = 0;
        for (int k = 0; k < 32; k++)
            y += w[k] * x[i + k];
        e[i] = d[i] - y;
    }
}
