// Gaps that begin and go on, of alignments: what comes from the row above is in a loop of its own, ahead
// of the gap along the row; a row that is hardly longer than a strip is one.
// RUN: polyopt-cc -O3 -march=x86-64-v3 --poly=identity --emit=affine -o %t.mlir %s
// RUN: polyopt-opt %t.mlir -p 'affine-split-recurrences{march="x86-64-v3"}' | filecheck %s

#define MAX(a, b) ((a) > (b) ? (a) : (b))

int m[301][281], x[301][281], y[301][281];
unsigned char s[300], t[280];

void rows(void)
{
    for (int i = 1; i <= 300; i++)
        for (int j = 1; j <= 280; j++) {
            int score = s[i - 1] == t[j - 1] ? 2 : -1;
            m[i][j] = MAX(m[i - 1][j - 1], MAX(x[i - 1][j - 1], y[i - 1][j - 1])) + score;
            x[i][j] = MAX(m[i - 1][j] - 6, x[i - 1][j] - 1);
            y[i][j] = MAX(m[i][j - 1] - 6, y[i][j - 1] - 1);
        }
}

// CHECK-LABEL: func.func @rows
// CHECK:         affine.for %[[S:.*]] = 1 to 281 step 280 {
// CHECK-NEXT:      affine.for %[[J:.*]] = affine_map<(d0) -> (d0)>(%[[S]]) to min
// CHECK-NOT:         affine.store %{{.*}}, %y[
// CHECK:             affine.store %{{.*}}, %m[
// CHECK:             affine.store %{{.*}}, %x[
// CHECK-NEXT:      } {poly.loop = #poly.loop<parallel, iterator = "j">}
// CHECK-NEXT:      affine.for %[[J:.*]] = affine_map<(d0) -> (d0)>(%[[S]]) to min
// CHECK-NEXT:        affine.load %m[
// CHECK:             affine.load %y[
// CHECK:             affine.store %{{.*}}, %y[
// CHECK-NEXT:      } {poly.loop = #poly.loop<iterator = "j">}
