// Memory is contracted or expanded in the file, and what is read stays the same: in the file's
// order each t[i] is used up at once, so one element does; s gets one for each row.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: polyopt-cc -O1 --export=jscop:out -c %s -o out.o
// RUN: sed -e 's/t\[i\]/t[0]/; s/-> \[0, i\]/-> [i, 0]/; s/-> \[1, i\]/-> [i, 1]/' out/once___once.jscop > contracted.jscop
// RUN: polyopt-cc -O1 --poly=identity --emit=poly %s -o module.mlir
// RUN: polyopt-opt module.mlir -p 'poly-import-jscop{scop=once file="contracted.jscop"},poly-to-affine' | filecheck %s --check-prefix=CONTRACTED
// RUN: sed -e 's/t\[i\]/t[0]/' out/once___once.jscop > early.jscop
// RUN: not polyopt-opt module.mlir -p 'poly-import-jscop{scop=once file="early.jscop"}' 2>&1 | filecheck %s --check-prefix=EARLY
// RUN: sed -e 's/S1\[i\] -> B\[i\]/S1[i] -> A[i]/' out/once___once.jscop > other.jscop
// RUN: not polyopt-opt module.mlir -p 'poly-import-jscop{scop=once file="other.jscop"}' 2>&1 | filecheck %s --check-prefix=OTHER
// RUN: sed -e 's/t\[i\]/u[i]/' out/once___once.jscop > unknown.jscop
// RUN: not polyopt-opt module.mlir -p 'poly-import-jscop{scop=once file="unknown.jscop"}' 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: sed -e 's/t\[i\]/t[i + 1]/' out/once___once.jscop > outside.jscop
// RUN: not polyopt-opt module.mlir -p 'poly-import-jscop{scop=once file="outside.jscop"}' 2>&1 | filecheck %s --check-prefix=OUTSIDE
// RUN: sed -e 's/\(S[0-9]*\)\[i\(.*\)\] -> s\[\]/\1[i\2] -> row[i]/; s/"arrays": \[/"arrays": [{"name": "row", "sizes": ["*"], "type": "double"},/' out/sums___sums.jscop > expanded.jscop
// RUN: polyopt-opt module.mlir -p 'poly-import-jscop{scop=sums file="expanded.jscop"},poly-to-affine' | filecheck %s --check-prefix=EXPANDED
// RUN: sed -e 's/"sizes": \["\*"\], "type": "double"},/"sizes": ["9"], "type": "double"},/' expanded.jscop > small.jscop
// RUN: not polyopt-opt module.mlir -p 'poly-import-jscop{scop=sums file="small.jscop"}' 2>&1 | filecheck %s --check-prefix=SMALL

void once(int n, double *restrict A, double *restrict B) {
  double t[1000];
  for (int i = 0; i < n; i++)
    t[i] = 2 * A[i];
  for (int i = 0; i < n; i++)
    B[i] = t[i] * 3;
}

void sums(int n, double A[restrict n][n], double *restrict B) {
  double s;
  for (int i = 0; i < n; i++) {
    s = 0;
    for (int j = 0; j < n; j++)
      s += A[i][j];
    B[i] = s;
  }
}

// CONTRACTED:      affine.for %i{{.*}} = 0 to
// CONTRACTED:        affine.store %{{.*}}, %t{{.*}}[0] : memref<1000xf64>
// CONTRACTED-NEXT:   affine.load %t{{.*}}[0] : memref<1000xf64>
// CONTRACTED:        affine.store %{{.*}}, %B

// EARLY: error: early.jscop: accesses cannot be moved: a read does not get its value from where it did:

// OTHER: error: other.jscop: accesses cannot be moved: memory would not end the same: {{.*}}S1[i]

// UNKNOWN: error: unknown.jscop: there is no array 'u'

// OUTSIDE: error: outside.jscop: accesses cannot be moved: 't' may have no such element: {{.*}}i0 = 1000

// EXPANDED:      func.func @sums
// EXPANDED:      %row = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?xf64>
// EXPANDED:      affine.store %{{.*}}, %row{{.*}}[%i{{.*}}] : memref<?xf64>
// EXPANDED:      memref.dealloc %row

// SMALL: error: small.jscop: accesses cannot be moved: 'row' has more elements than 9 in a dimension
