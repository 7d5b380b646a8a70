// Where CPUs gather element by element, LLVM's vectors may look up bytes whose places are loaded as
// they are: these it need not take from vectors. What is computed it would.
// RUN: polyopt-cc -O3 -march=znver3 --print-after=mark-scattered-stores -c %s -o %t.o 2>&1 | filecheck %s

// CHECK-LABEL: func.func @mapped(
// CHECK-NOT:   no_vector
// CHECK:       func.return
void mapped(int n, unsigned char *restrict out, const unsigned char *restrict in,
            const unsigned char *restrict table) {
  for (int i = 0; i < n; i++) out[i] = table[in[i]];
}

// CHECK-LABEL: func.func @turned(
// CHECK:       cf.br {{.*}}cmem.no_vector
void turned(int n, short *restrict out, const int *restrict in, const short *restrict table) {
  for (int i = 0; i < n; i++) out[i] = table[in[i] + 3];
}
