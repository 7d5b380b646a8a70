// What is left of a row behind its vectors lies where these lead to, and brings in no lines of its own:
// rows of 196 floats, summed and scaled, are in vectors, though all of them are more than the first
// level of the cache holds.
// RUN: polyopt-cc -O3 -ffast-math -march=x86-64-v4 --remarks -c %s -o %t.o 2>&1 | filecheck %s

#include <math.h>

enum { B = 16, C = 32, S = 196 };
static float mean[C], var[C], scale[C], shift[C];

// CHECK: rests-in-rows.c:14:21: analysis: what was made of the loops is kept
void normalise(float x[B][C][S], float y[B][C][S])
{
    for (int c = 0; c < C; c++) {
        float s = 0, q = 0;
        for (int b = 0; b < B; b++)
            for (int i = 0; i < S; i++) {
                s += x[b][c][i];
                q += x[b][c][i] * x[b][c][i];
            }
        mean[c] = s / (B * S);
        var[c] = q / (B * S) - mean[c] * mean[c];
        float k = scale[c] / sqrtf(var[c] + 1e-5f), d = shift[c] - mean[c] * k;
        for (int b = 0; b < B; b++)
            for (int i = 0; i < S; i++) {
                float v = x[b][c][i] * k + d;
                y[b][c][i] = v > 0.0f ? v : 0.0f;
            }
    }
}
