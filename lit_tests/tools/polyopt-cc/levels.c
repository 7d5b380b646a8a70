// RUN: polyopt-cc -O3 --poly=identity --emit=source %s | filecheck %s --check-prefix SOURCE
// RUN: polyopt-cc -O3 --poly=identity --emit=poly %s | filecheck %s --check-prefix POLY
// RUN: polyopt-cc -O3 --poly=identity --emit=affine %s | filecheck %s --check-prefix AFFINE
// RUN: polyopt-cc -O3 --poly=identity --emit=scf %s | filecheck %s --check-prefix SCF
// RUN: polyopt-cc -O3 -fno-poly --emit=scf %s | filecheck %s --check-prefix PLAIN
// RUN: polyopt-cc -O3 -S -emit-llvm %s -o - | filecheck %s --check-prefix LLVM
// RUN: polyopt-cc -O3 -S %s -o - | filecheck %s --check-prefix ASM

// Every level of the compiler can be looked at; the original order comes out as the same loop.

void scale(int n, double a[n], double factor)
{
    for (int i = 0; i < n; i++)
        a[i] = a[i] * factor;
}

// SOURCE:     func.func @scale
// SOURCE:     cf.cond_br

// POLY:       poly.scop "scale"
// POLY:       poly.stmt "S0" domain <"[n] -> { S0[i] : 0 <= i < n }">
// POLY:       poly.read %{{.*}} <"[n] -> { S0[i] -> a[i] }">

// AFFINE:     affine.for %{{.*}} = 0 to %{{.*}} {
// AFFINE-NOT: affine.for
// AFFINE:     {poly.loop = #poly.loop<parallel, iterator = "i">}

// SCF:        scf.for
// SCF-NOT:    scf.for
// SCF:        {poly.loop = #poly.loop<parallel, iterator = "i">}

// PLAIN-NOT:  scf.for

// LLVM:       define {{.*}}void @scale(
// LLVM:       fmul contract <{{[0-9]+}} x double>

// ASM:        scale:
// ASM:        mulpd
