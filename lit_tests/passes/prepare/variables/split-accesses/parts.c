// Elements are put together of the parts that the loop writes, and taken apart where it writes them whole; dependences are
// those of the parts.
// RUN: polyopt-opt %s -p "promote-scalars,clean-values,split-accesses" | filecheck %s
// RUN: polyopt-cc -O3 --poly=isl+tile --remarks -c %s -o %t.o 2>&1 | filecheck %s --check-prefix=FOUND
// RUN: polyopt-cc -O3 -DMAIN --poly=isl+tile %s -o %t.exe && %t.exe | filecheck %s --check-prefix=RESULT
// RUN: polyopt-cc -O3 -march=x86-64-v3 --remarks -c %s -o %t.o 2>&1 | filecheck %s --check-prefix=JUDGED
// RUN: polyopt-cc -O3 -DMAIN %s -o %t.exe && %t.exe | filecheck %s --check-prefix=RESULT

unsigned bytes(int n, unsigned *restrict w, unsigned char key)
{
    unsigned char *b = (unsigned char *)w;
    unsigned sum = 0;
    for (int i = 0; i < n; i++) {
        b[4 * i + 1] ^= key;
        sum += w[i];
    }
    return sum;
}
// CHECK-LABEL: @bytes
// CHECK-NOT:   memref.load {{.*}} : memref<?xi32>
// CHECK:       [[PLACE:%.*]] = arith.muli
// CHECK:       arith.extui {{.*}} : i8 to i32
// CHECK:       arith.shli
// CHECK-NOT:   memref.load {{.*}} : memref<?xi32>
// CHECK-LABEL: @columns
// FOUND: parts.c:{{.*}} static control part: {{.*}} loops nested 1 deep

// Which order is legal, only the parts say.
void columns(int n, int m, float *restrict x)
{
    unsigned short *h = (unsigned short *)x;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            h[2 * (i * m + j)] = 0;
            x[i * m + j] *= 2;
        }
}
// CHECK:       arith.bitcast {{.*}} : i32 to f32
// CHECK:       arith.bitcast {{.*}} : f32 to i32
// CHECK:       arith.trunci {{.*}} : i32 to i16
// FOUND: loops j, i: order i, j

// Where nobody chooses a scheduler, the judge knows what the source's own accesses cost.
// JUDGED: {{.*}}parts.c:13:{{.*}} the code stays as it was written: {{.*}} cycles are expected of it, {{.*}} cycles of what was made
// JUDGED: {{.*}}parts.c:{{.*}} what was made of the loops is kept
// JUDGED: applied: loops j, i: order i, j

// What nobody writes is an array of each type.
void only_read(int n, const unsigned *restrict w, unsigned *restrict out)
{
    const unsigned char *b = (const unsigned char *)w;
    for (int i = 0; i < n; i++)
        out[i] = w[i] + b[4 * i + 2];
}
// CHECK-LABEL: @only_read
// CHECK:       memref.load {{.*}} : memref<?xi32>
// FOUND: parts.c:{{.*}} static control part: 1 statement, 3 arrays, loops nested 1 deep

#ifdef MAIN
#include <stdio.h>
int main(void)
{
    unsigned w[6] = {1, 70000, 0xffffffff, 1u << 31, 12345678, 99}, out[6];
    float x[12];
    for (int i = 0; i < 12; i++)
        x[i] = i / 7.0f;
    // RESULT: 2159950625
    printf("%u\n", bytes(6, w, 0x5a));
    only_read(6, w, out);
    // RESULT: 23041 84849 4294944510 2147506688 12336138 23139
    for (int i = 0; i < 6; i++)
        printf("%u%c", out[i], i < 5 ? ' ' : '\n');
    columns(3, 4, x);
    // RESULT: 0x0p+0 0x1.24p-2 0x1.24p-1 0x1.b6p-1 0x1.24p+0 0x1.6cp+0 0x1.b6p+0 0x1p+1 0x1.24p+1 0x1.48p+1 0x1.6cp+1 0x1.92p+1
    for (int i = 0; i < 12; i++)
        printf("%a%c", x[i], i < 11 ? ' ' : '\n');
}
#endif
