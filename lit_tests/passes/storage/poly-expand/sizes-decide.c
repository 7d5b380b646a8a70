// How much memory a place for each iteration takes is known when the loops run: there are two
// versions of them.
// RUN: polyopt-cc -O2 --emit=poly -o - %s | polyopt-opt -p 'poly-expand{limit=4096}' | filecheck %s

void sums(int n, int m, double A[n][m], double B[n])
{
    for (int i = 0; i < n; i++) {
        double s = 0.0;
        for (int j = 0; j < m; j++)
            s += A[i][j];
        B[i] = s;
    }
}

// CHECK:      %[[LIMIT:.*]] = arith.constant 4096 : index
// CHECK-NEXT: %[[FITS:.*]] = arith.cmpi ule, %{{.*}}, %[[LIMIT]] : index
// CHECK-NEXT: scf.if %[[FITS]] {
// CHECK:        memref.alloc
// CHECK:        poly.scop "sums"
// CHECK-SAME:   ["s", "A", "B", "s_x"]
// CHECK:        memref.dealloc
// CHECK:      } else {
// CHECK-NEXT:   poly.scop "sums"
// CHECK-SAME:   ["s", "A", "B"]
// CHECK-NOT:  memref.dealloc

// Of a loop in strides, the size is a quotient.
void every_third(int n, int m, const double *restrict A, double *restrict B)
{
    for (int i = 0, o = 0; i < n; i += 3, o++) {
        double s = 0.0;
        for (int j = 0; j < m; j++)
            s += A[i + j];
        B[o] = s;
    }
}

// CHECK-LABEL: @every_third
// CHECK:       affine.apply affine_map<{{.*}} floordiv 3{{.*}}>
// CHECK:       memref.alloc
// CHECK:       ["s", "A", "B", "s_x"]

// So many rows have no columns, as these are declared: nothing is left of the sums.
enum { ROWS = 64, COLUMNS = 200 };
double table[ROWS][COLUMNS], total[ROWS];
void declared(int n, int m)
{
    for (int i = 0; i < n; i++) {
        double s = 0.0;
        for (int j = 0; j < m; j++)
            s += table[i][j];
        if (m > 3)
            total[i] = s;
    }
}

// CHECK-LABEL: @declared
// CHECK:       } else {
// CHECK:       assumed <"[n, m] -> { :  n >= 513 and m <= 0 }">

// So many rows there are not.
void never(int n, int m)
{
    for (int i = 0; i < n; i++) {
        double s = 0.0;
        for (int j = 0; j < m; j++)
            s += table[i][j];
        total[i] = s;
    }
}

// CHECK-LABEL: @never
// CHECK-NOT:   scf.if
// CHECK:       ["s", "table", "total", "s_x"]
// CHECK-NOT:   scf.if

// Nor do rows and columns multiply to more than have been declared.
enum { SIDE = 20 };
double square[SIDE][SIDE], line[SIDE], mirrored[SIDE][SIDE];
void rows_and_columns(int n, int m)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            line[j] = square[i][j] * 2.0;
        for (int j = 0; j < m; j++)
            mirrored[i][j] = line[m - 1 - j];
    }
}

// CHECK-LABEL: @rows_and_columns
// CHECK-NOT:   scf.if
// CHECK:       ["square", "line", "mirrored", "line_x"]
// CHECK-NOT:   scf.if

// They do where rows are as long as the caller says.
void of_a_caller(int n, int m, double (*restrict to)[m], double *restrict one)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            one[j] = to[i][j] * 2.0;
        for (int j = 0; j < m; j++)
            to[i][j] = one[m - 1 - j];
    }
}

// CHECK-LABEL: @of_a_caller
// CHECK:       scf.if
