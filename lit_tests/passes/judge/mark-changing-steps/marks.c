// Loads by a step that a loop around changes hide it from LLVM, also in the function as it was written.
// RUN: polyopt-cc -O3 -march=x86-64-v4 --print-after=mark-changing-steps -c %s -o %t.o 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v4 --emit=llvm %s | filecheck %s --check-prefix LLVM

double x[1024], w[1024];

// CHECK-LABEL: func.func @turned(
// CHECK:         %[[X:.*]] = memref.load {{.*}} : memref<1024xf64>
// CHECK:         memref.load {{.*}} {cmem.hidden_step} : memref<1024xf64>
// LLVM-LABEL:  define dso_local void @turned(
// LLVM:          [[STEP:%[0-9]+]] = freeze i64 %
// LLVM-NEXT:     getelementptr inbounds double, ptr @w, i64 [[STEP]]
void turned(int n) {
  for (int len = 2; len <= n; len *= 2) {
    int half = len / 2, st = n / len;
    for (int i = 0; i < n; i += len)
      for (int j = 0; j < half; j++) x[i + j] = x[i + j + half] * w[j * st];
  }
}

// CHECK-LABEL: func.func @nothing_stored(
// CHECK:         memref.load {{.*}} {cmem.hidden_step} : memref<1024xf64>
double nothing_stored(int n) {
  double s = 0;
  for (int st = 1; st <= n; st *= 2)
    for (int j = 0; j < n / st; j++) s += w[j * st];
  return s;
}
