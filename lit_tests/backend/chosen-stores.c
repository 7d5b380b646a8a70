// Where cores store under a mask as slowly as lane by lane, a store under a condition is skipped where
// the condition holds for no lane, with the products for it, and is a plain one where it holds for all.
// Nowhere else, and not at -O1.
// RUN: polyopt-cc -O3 -march=znver3 -fno-poly -S -emit-llvm %s -o - | filecheck %s
// RUN: polyopt-cc -O3 -march=haswell -fno-poly -S -emit-llvm %s -o - | filecheck %s --check-prefix=OTHER
// RUN: polyopt-cc -O1 -march=znver3 -S -emit-llvm %s -o - | filecheck %s --check-prefix=OTHER

// CHECK-LABEL: @scaled(
// CHECK:       %.chosen.0.any = icmp ne i8
// CHECK-NEXT:  br i1 %.chosen.0.any, label %.chosen.0.some, label %.chosen.0.on
// CHECK:       .chosen.0.some:
// CHECK:       fmul {{.*}}<8 x float>
// CHECK:       .chosen.0.whole:
// CHECK:       store <8 x float>
// CHECK:       .chosen.0.part:
// CHECK:       @llvm.masked.store.v8f32.p0

// OTHER-NOT:   .chosen.
float a[4096], b[4096], c[4096];
void scaled(void)
{
    for (int i = 0; i < 4096; i++)
        if (a[i] > 0.5f) b[i] *= c[i];
}
