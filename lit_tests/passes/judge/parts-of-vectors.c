// REQUIRES: avx512
// RUN: polyopt-cc -O3 -march=x86-64-v4 -ffast-math --remarks -c -o %t.o %s 2>&1 | filecheck %s

// Numbers of a small local array that are used one by one, right behind the loop that stores them, wait for
// a vector that was stored under a mask to be in memory. It does not pay.

double along(const double *o, const double *v, const double *p, double limit)
{
    double s[3], u = 0.0;
    // CHECK: parts-of-vectors.c:12:{{.*}} stays as it was written
    if (o[0] > limit) {
        for (int k = 0; k < 3; k++)
            s[k] = o[k] - v[k];
        u = s[0] * p[0] - s[1] * p[1] + s[2] * p[2] * s[0];
    }
    return u;
}

// Vectors that are stored as a whole are handed on in parts, too.

double whole(const double *o, const double *v, const double *p, double limit)
{
    double s[8], u = 0.0;
    // CHECK: parts-of-vectors.c:26:{{.*}} is kept
    if (o[0] > limit) {
        for (int k = 0; k < 8; k++)
            s[k] = o[k] - v[k];
        u = s[0] * p[0] - s[1] * p[1] + s[2] * p[2] * s[0] - s[3] * s[4] * s[5] + s[6] * s[7];
    }
    return u;
}
