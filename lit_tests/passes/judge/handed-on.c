// RUN: polyopt-cc -O3 -march=x86-64-v3 -c %s -o %t.o --remarks=nests 2>&1 | filecheck %s

// What several stores hand on is loaded again as LLVM has it, and in registers as we do: that pays
// though no vectors are made. What one store hands on LLVM keeps there, too.

// CHECK:     handed-on.c:9:{{.*}} what was made of the loops is kept
void dithered(float (*a)[300], int h)
{
    for (int y = 0; y < h - 1; y++)
        for (int x = 1; x < 299; x++) {
            float v = a[y][x];
            float e = v - (v < 0.5f ? 0.0f : 1.0f);
            a[y][x + 1] += e * 0.4375f;
            a[y + 1][x - 1] += e * 0.1875f;
            a[y + 1][x] += e * 0.3125f;
            a[y + 1][x + 1] += e * 0.0625f;
        }
}

// CHECK:     handed-on.c:23:{{.*}} the code stays as it was written
void summed(float *a, int n)
{
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] * 0.5f + a[i];
}
