// Loops that may call vector functions of the library take vectors as wide as these have them; other
// modules leave the width to LLVM, and a width that somebody asks for is what it is.
// RUN: polyopt-cc -O1 -ffast-math -march=x86-64-v4 --emit=llvm %s -o - | filecheck %s
// RUN: polyopt-cc -O1 -ffast-math -march=x86-64-v3 --emit=llvm %s -o - | filecheck --check-prefix=HALF %s
// RUN: polyopt-cc -O1 -march=x86-64-v4 --emit=llvm %s -o - | filecheck --check-prefix=HALF %s
// RUN: polyopt-cc -O1 -ffast-math -march=x86-64-v4 -mprefer-vector-width=128 --emit=llvm %s -o - | filecheck --check-prefix=ASKED %s

// CHECK: define {{.*}}@waves
// CHECK: "target-cpu"={{.*}}"prefer-vector-width"="512"
// HALF: define {{.*}}@waves
// HALF-NOT: "prefer-vector-width"
// ASKED: "prefer-vector-width"="128"
// ASKED-NOT: "prefer-vector-width"="512"
double sin(double);
void waves(int n, double *a)
{
    for (int i = 0; i < n; i++)
        a[i] = sin(a[i]);
}
