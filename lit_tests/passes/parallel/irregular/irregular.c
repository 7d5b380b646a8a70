// RUN: polyopt-cc -O3 -fparallel=2 --skip-pass=permute-irregular --remarks -c %s -o %t.o 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 -fparallel --print-after=parallelize-irregular -c %s -o %t.o 2>&1 | filecheck %s --check-prefix=IR

// Loops around loops that data end run in threads where it is proved whose each element is that is written: one
// subscript names the iteration, or each stays in a row of its own, and all else is only read. Each thread has its own
// variables, and asks for chunks. What is little runs as it stood, beside.

// IR-LABEL: func.func private @rows.omp.0(%member: index, %size: index, %ptr: !llvm.ptr {llvm.noalias}
// IR:         memref.alloca() : memref<f64>
// IR:         func.call @GOMP_loop_dynamic_start
// IR:         func.call @GOMP_loop_dynamic_next
// IR-LABEL: func.func @rows(
// IR:         cf.cond_br %{{.*}}, ^[[TEAM:.*]], ^[[ALONE:.*]] {poly.for_little}
// IR:       ^[[TEAM]]:
// IR:         arith.maxsi
// IR:         team.fork @rows.omp.0
// IR:       ^[[ALONE]]:
// IR:         memref.load %ptr
void rows(int n, const int *restrict ptr, const int *restrict idx, const double *restrict val, const double *restrict x,
          double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = ptr[i]; j < ptr[i + 1]; j++)
      s += val[j] * x[idx[j]];
    y[i] = s;
  }
}
// CHECK: irregular.c:21:{{.*}} applied: loop i in threads: doall, dealt out by the chunk

void escape(int n, int m, int most, int *out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double x = 0, y = 0;
      int k = 0;
      while (k < most && x * x + y * y < 4.0) {
        double t = x * x - y * y + 3.0 * j / m - 2;
        y = 2 * x * y + 3.0 * i / n - 1.5;
        x = t;
        k++;
      }
      out[i * m + j] = k;
    }
}
// CHECK: irregular.c:31:{{.*}} applied: loop i in threads

void whole(unsigned long n, const int *restrict ptr, double *restrict y) {
  for (unsigned long i = 0; i < n; i++)
    for (int j = ptr[i]; j < ptr[i + 1]; j++)
      y[i] += j;
}
// CHECK: irregular.c:47:{{.*}} applied: loop i in threads

void columns(int n, const int *restrict ptr, int (*restrict y)[n][4]) {
  for (int i = n - 1; i >= 0; i -= 2)
    for (int j = 0; j < n; j++)
      for (int e = ptr[j]; e < ptr[j + 1]; e++) {
        y[j][i][0] += e;
        y[j][i][e & 3] -= 1;
      }
}
// CHECK: irregular.c:54:{{.*}} applied: loop i in threads

void again(int n, const int *restrict ptr, int *restrict y) {
  int s;
  for (int i = 0; i < n; i++) {
    s = 0;
    for (int j = ptr[i]; j < ptr[i + 1]; j++)
      s += j;
    y[i] = s;
  }
  for (int i = 0; i < n; i++) {
    s = 1;
    for (int j = ptr[i]; j < ptr[i + 1]; j++)
      s *= j;
    y[i] += s;
  }
}
// CHECK: irregular.c:65:{{.*}} applied: loop i in threads
// CHECK: irregular.c:71:{{.*}} applied: loop i in threads

// Each iteration fills all of `row` first: each thread has one of its own.
// IR-LABEL: func.func private @accumulated.omp.0(
// IR:         %row = memref.alloca() : memref<64xf64>
void accumulated(int n, const int *restrict ptr, const int *restrict idx, const double *restrict val, double *restrict y) {
  double row[64];
  for (int i = 0; i < n; i++) {
    for (int j = 63; j >= 0; j--)
      row[j] = 0;
    for (int j = ptr[i]; j < ptr[i + 1]; j++)
      row[idx[j] & 63] += val[j];
    for (int j = 0; j < 64; j++)
      y[i * 64 + j] = row[j];
  }
}
// CHECK: irregular.c:86:{{.*}} applied: loop i in threads

// Integers that all add to: each part of the range has a sum of its own, which wraps around; they are added up behind,
// in their order. Updates may stand on conditions, and be of a kind each.
// IR-LABEL: func.func private @steps.omp.0(
// IR:         memref.store %{{.*}}, %total
// IR:         memref.store %{{.*}}, %bits
// IR:         memref.store %{{.*}}, %copies
// IR:         memref.store %{{.*}}, %copies
// IR:         func.call @GOMP_loop_end_nowait
// IR-LABEL: func.func @steps(
// IR:         team.fork @steps.omp.0
// IR:         arith.addi %{{[^ ]*}}, %{{[^ ]*}} : i64
// IR:         arith.xori
// IR:         memref.dealloc
long steps(int n, int *restrict counts) {
  long total = 0, bits = 0;
  for (int i = 1; i < n; i++) {
    unsigned long v = i;
    int c = 0;
    while (v != 1) {
      v = v & 1 ? 3 * v + 1 : v / 2;
      c++;
    }
    if (c & 1)
      total -= c;
    else
      bits ^= c;
    counts[i] = c;
  }
  return total + bits;
}
// CHECK: irregular.c:112:{{.*}} applied: loop i in threads: reduction of total, bits, dealt out by the chunk

// Two loads in front of the loop say how many elements there are in all rows.
// IR-LABEL: func.func @rows_of(
// IR:         %[[SOME:.*]] = arith.cmpi slt
// IR:         cf.cond_br %[[SOME]], ^[[MEASURED:bb[0-9]+]],
// IR:       ^[[MEASURED]]:
// IR:         memref.load %ptr
// IR:         memref.load %ptr
// IR:         arith.subi
// IR:         arith.cmpi sge
void rows_of(int n, const int *restrict ptr, const double *restrict val, double *restrict y) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = ptr[i]; j < ptr[i + 1]; j++)
      y[i] += val[j];
}
// CHECK: irregular.c:{{.*}} applied: loop i in threads: doall, dealt out

// Nothing says that these are different objects: their ranges are compared before. An `int` is no `double`.
// IR-LABEL: func.func @compared(
// IR:         cmem.ptr_to_int
// IR:         arith.ori
// IR:         team.fork
void compared(int n, const double *a, const int *limit, double *y) {
  for (int i = 0; i < n; i++) {
    double t = a[i];
    for (int k = 0; t < 100 && k < limit[k]; k++)
      t = t * t + 1;
    y[i] = t;
  }
}
// CHECK: irregular.c:{{.*}} applied: loop i in threads: doall, dealt out

// An extreme of what rows come to, handed on from row to row: that of the parts, to the bit.
double highest(int n, const int *restrict ptr, const double *restrict val) {
  double best = -1;
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = ptr[i]; j < ptr[i + 1]; j++)
      s += val[j];
    if (s > best)
      best = s;
  }
  return best;
}
// CHECK: irregular.c:{{.*}} applied: loop i in threads: reduction of best, dealt out

// Whose elements are whose, the classic tests say.
void thirds(int n, const int *restrict ptr, double y[restrict 60][50]) {
  for (int i = 0; i < n; i++)
    for (int j = ptr[i]; j < ptr[i + 1]; j++)
      y[3 * i][j] = y[3 * i + 1][j] + y[3 * i + 2][0];
}
// CHECK: irregular.c:176:{{.*}} applied: loop i in threads: doall
