// RUN: polyopt-cc -O3 -march=x86-64-v3 -fparallel --emit=schedule --skip-pass=keep-what-pays -o - %s | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v3 --emit=schedule --skip-pass=keep-what-pays -o - %s | filecheck %s --check-prefix=SERIAL
// RUN: polyopt-cc -O3 -march=x86-64-v3 -fparallel --emit=schedule --skip-pass=keep-what-pays --skip-pass=poly-tile-written -o %t.mlir %s
// RUN: polyopt-opt %t.mlir -p 'poly-tile-written{sizes=8,16 instances=1000}' | filecheck %s --check-prefix=ALONE

// A table over intervals that is filled in place: threads have tiles of it, one thread and little work
// the rows that there were. Without threads there is nothing to choose.

// SERIAL-NOT: team.available
// SERIAL-NOT: tile

// ALONE: arith.constant 1000 : index
// ALONE: [(-i - (-i) mod 8)] {{.*}} mod 16)]

// CHECK-LABEL: func.func @chain
// CHECK:         %[[LIMIT:.*]] = arith.constant 4194304 : index
// CHECK:         %[[SMALL:.*]] = arith.cmpi ule, %{{.*}}, %[[LIMIT]] : index
// CHECK:         %[[LITTLE:.*]] = scf.if %[[SMALL]] -> (i1) {
// CHECK:           arith.constant true
// CHECK:         } else {
// CHECK:           %[[THREADS:.*]] = team.available
// CHECK:           arith.cmpi slt, %[[THREADS]],
// CHECK:         scf.if %[[LITTLE]] {
// CHECK-NOT:       tile
// CHECK:         } else {
// CHECK:           mark: \22tile\22
// CHECK:           mark: \22point\22
// CHECK:         }{poly.for_little}
void chain(int n, long m[restrict n][n], const long *restrict p)
{
    for (int l = 2; l <= n; l++)
        for (int i = 0; i < n - l + 1; i++) {
            int j = i + l - 1;
            m[i][j] = 1L << 60;
            for (int k = i; k < j; k++) {
                long q = m[i][k] + m[k + 1][j] + p[i] * p[k + 1] * p[j + 1];
                if (q < m[i][j])
                    m[i][j] = q;
            }
        }
}
