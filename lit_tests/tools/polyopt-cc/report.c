// RUN: polyopt-cc -O3 --poly=isl+tile --tile-sizes=16,8 --report=%t.html -c %s -o %t.o
// RUN: filecheck %s < %t.html
// RUN: polyopt-cc -O3 --poly=isl+tile --tile-sizes=16,8 -c %s -o %t.alone.o
// RUN: cmp %t.o %t.alone.o
// RUN: not polyopt-cc -E --report=%t.html %s 2>&1 | filecheck %s --check-prefix NOTHING
// RUN: not polyopt-cc -O3 --report=%t.html -c - < %s 2>&1 | filecheck %s --check-prefix AGAIN
// RUN: not polyopt-cc --report=%t.html %t.o 2>&1 | filecheck %s --check-prefix NONE

// A page with a verdict beside each loop and pictures of its iterations; the code is the same.

void copy(int n, double a[restrict n][n], double b[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = b[i][j];
}

// CHECK: <!DOCTYPE html>
// CHECK: <tr data-line="13"><td class="number">13</td>
// CHECK-SAME: <b>i: </b>tiles of 16
// CHECK: <tr data-line="14"><td class="number">14</td>
// CHECK-SAME: <b>j: </b>tiles of 8
// CHECK: <svg
// CHECK-SAME: class="domain"
// CHECK: for each tile of 16 along i
// NOTHING: error: --report= shows what becomes of loops, and nothing is compiled
// AGAIN: error: --report= reads its files again, which standard input cannot be
// NONE: error: --report= shows what becomes of C files and modules, and there is none
