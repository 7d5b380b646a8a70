// RUN: printf 'vectorize S0.j\n' > %t.vectors
// RUN: polyopt-cc -O3 -march=x86-64-v3 --schedule=%t.vectors --remarks -c %s -o %t.o 2>&1 | filecheck %s --check-prefix VECTORS
// RUN: printf 'tile S0.i S0.j 8 8\nparallel S0.j_tile\n' > %t.threads
// RUN: polyopt-cc -O3 --schedule=%t.threads -fparallel --remarks -c %s -o %t.o 2>&1 | filecheck %s --check-prefix THREADS
// RUN: printf 'parallel S0.i\nparallel S0.j\n' > %t.both
// RUN: polyopt-cc -O3 --schedule=%t.both -fparallel --remarks -c %s -o %t.o 2>&1 | filecheck %s --check-prefix BOTH
// RUN: not polyopt-cc -O3 --schedule=%t.threads -c %s -o %t.o 2>&1 | filecheck %s --check-prefix ONE
// RUN: printf 'interchange S0.i S0.j\nvectorize S0.i\n' > %t.illegal
// RUN: not polyopt-cc -O3 --schedule=%t.illegal -c %s -o %t.o 2>&1 | filecheck %s --check-prefix ILLEGAL

// A loop that a person wants in vectors or threads is there, or an error or a remark says why not.

void sweep(double a[restrict 16][16])
{
    for (int i = 1; i < 16; i++)
        for (int j = 0; j < 16; j++)
            a[i][j] = a[i - 1][j] + 1;
}

// VECTORS: asked-for.c:17:13: applied: {{.*}}vectors of 4{{.*}} [affine-vectorize]
// THREADS: applied: loop j in threads: doall [affine-parallelize]
// BOTH: applied: loop i in threads: pipeline along j [affine-parallelize]
// BOTH: missed: loop j is not in threads as was asked for: it is in another one that is [not-in-threads]
// ONE: {{.*}}.threads:2:1: error: 'parallel S0.j_tile' is about threads, and loops run in one
// ONE: hint: -fparallel lets loops run in threads
// ILLEGAL: {{.*}}.illegal:2:1: error: 'vectorize S0.i' is illegal:
// ILLEGAL: S0.i, which is to run in vectors, carries the flow dependence from S0 to S0 ({{.*}}
