// RUN: polyopt-cc -O3 -march=x86-64-v4 -ffp-contract=off --remarks -c -o %t.o %s 2>&1 | filecheck %s

// What an iteration takes before the next one changes it, and takes later in the text, LLVM makes no
// vectors of; of what it takes earlier in the text it does, and the loop stays as it is.

float a[32000], b[32000], c[32000], d[32000];

// CHECK:       order-of-the-text.c:11:{{.*}} is kept: {{.*}} of them for memory) are expected of it, 9{{.}},{{...}} cycles
void behind(void)
{
    for (int i = 0; i < 31999; i++) {
        a[i] *= c[i];
        b[i] += a[i + 1] * d[i];
    }
}

// CHECK:       order-of-the-text.c:20:{{.*}} {{2.,...}} cycles{{.*}} of the source's order
void ahead(void)
{
    for (int i = 0; i < 31999; i++) {
        b[i] += a[i + 1] * d[i];
        a[i] *= c[i];
    }
}

// So far apart that a vector of LLVM's is between them.
// CHECK:       order-of-the-text.c:30:{{.*}} {{2.,...}} cycles{{.*}} of the source's order
void far_behind(void)
{
    for (int i = 0; i < 31000; i++) {
        a[i] *= c[i];
        b[i] += a[i + 8] * d[i];
    }
}

// A condition on the counter is made of masks.
// CHECK:       order-of-the-text.c:40:{{.*}} is kept: {{.*}} are expected of it, 5{{.}},{{...}} cycles
void in_parts(int m)
{
    for (int i = 0; i < 32000; i++) {
        if (i + 1 < 16000)
            a[i] += b[i] * c[i];
        else
            a[i] += b[i] * d[i];
    }
}
