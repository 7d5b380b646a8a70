// Rows that a quotient chooses lie in the array, whatever the ends of the loops are: a table of two
// rows goes no further than to the second.
// RUN: polyopt-cc -O3 --emit=poly %s | filecheck %s

static int rows[2][100];

// CHECK-LABEL: func.func @turns
// CHECK:         [[ONE:%.*]] = arith.constant 1 : index
// CHECK:         [[LAST:%.*]] = arith.minsi {{%.*}}, [[ONE]] : index
// CHECK:         arith.muli [[LAST]], {{%.*}} : index
// CHECK:         cf.cond_br
// CHECK:         poly.scop "turns"
int turns(int n, int m, const int *from) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            rows[i % 2][j] = rows[(i - 1) % 2][j - 1] + from[j];
    return rows[(n - 1) % 2][m - 1];
}
