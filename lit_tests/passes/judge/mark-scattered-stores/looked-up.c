// Bytes in a table: LLVM would take their places from vectors one by one.
// RUN: polyopt-cc -O3 -march=x86-64-v3 --print-after=mark-scattered-stores -c %s -o %t.o 2>&1 | filecheck %s

// CHECK-LABEL: func.func @mapped(
// CHECK:       cf.br {{.*}}cmem.no_vector
void mapped(int n, unsigned char *restrict out, const unsigned char *restrict in,
            const unsigned char *restrict table) {
  for (int i = 0; i < n; i++) out[i] = table[in[i]];
}

// CHECK-LABEL: func.func @words(
// CHECK:       cf.br {{.*}}cmem.no_vector
void words(int n, short *restrict out, const int *restrict in, const short *restrict table) {
  for (int i = 0; i < n; i++) out[i] = table[in[i]];
}

// 32 bits are gathered by an instruction; what lies in order is no lookup; arithmetic may pay for all.
// CHECK-LABEL: func.func @wide(
// CHECK-NOT:   no_vector
// CHECK:       func.return
void wide(int n, int *restrict out, const int *restrict in, const int *restrict table) {
  for (int i = 0; i < n; i++) out[i] = table[in[i]];
}

// CHECK-LABEL: func.func @in_order(
// CHECK-NOT:   no_vector
// CHECK:       func.return
void in_order(int n, unsigned char *restrict out, const unsigned char *restrict in, int first) {
  for (int i = 0; i < n; i++) out[i] = in[first + i] + 1;
}

// CHECK-LABEL: func.func @computed(
// CHECK-NOT:   no_vector
// CHECK:       func.return
void computed(int n, float *restrict out, const unsigned char *restrict in,
              const unsigned char *restrict table, const float *restrict x) {
  for (int i = 0; i < n; i++) {
    float t = table[in[i]], u = x[i];
    out[i] = ((((t * u + 1) * t + u) * t + 2) * u - t * u) / (1 + t * t + u * u);
  }
}

// What is looked up under a condition: in vectors no jump is mispredicted.
// CHECK-LABEL: func.func @conditional(
// CHECK-NOT:   no_vector
// CHECK:       func.return
void conditional(int n, unsigned char *restrict out, const int *restrict in,
                 const unsigned char *restrict table) {
  for (int i = 0; i < n; i++)
    if (table[in[i]]) out[i] = 1;
}
