// RUN: polyopt-cc -O2 --check --emit=poly -o - %s | filecheck %s

// With `check` the loops are a function in the source's order, too, which runs first; what the SCoP
// may write is described in the frame, and the results are compared behind it.

// CHECK-LABEL: func.func @triangle
// CHECK:         %[[FRAME:.*]] = memref.alloca() : memref<13xi64>
// CHECK:         memref.store %{{.*}}, %[[FRAME]][
// CHECK:         %[[PLACE:.*]] = cmem.address %[[FRAME]]
// CHECK:         %[[SITE:.*]] = cmem.address_of @triangle.0.site
// CHECK-NEXT:    %[[GO:.*]] = func.call @__polyopt_check_begin(%[[SITE]], %[[PLACE]])
// CHECK:         scf.if
// CHECK-NEXT:      func.call @triangle.0.source(%[[PLACE]], %A, %n)
// CHECK-NEXT:      func.call @__polyopt_check_turn(%[[PLACE]])
// CHECK:         poly.scop "triangle"
// CHECK:         func.call @__polyopt_check_compare(%[[PLACE]])
// CHECK:         scf.if
// CHECK-NEXT:      func.call @triangle.0.source(%[[PLACE]], %A, %n)
// CHECK-NEXT:      func.call @__polyopt_check_conclude(%[[PLACE]])
void triangle(int n, double A[restrict][20])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            A[i][j] += 1.0;
}

// What is used behind the loops is compared too: it goes through memory there.
// CHECK-LABEL: func.func @end_of
// CHECK:         poly.scop "end_of"
// CHECK:         memref.store %{{.*}}, %[[OPTIMISED:.*]][] : memref<i32>
// CHECK-NEXT:    func.call @__polyopt_check_compare
// CHECK:         %[[END:.*]] = memref.load %[[OPTIMISED]][] : memref<i32>
// CHECK:         func.return %[[END]]
int end_of(int n, const int *restrict a, int *restrict b)
{
    int i;
    for (i = 0; i < n; i++)
        b[i] = a[i];
    return i;
}

// The function has the promises of the source, and no permission to reassociate.
// CHECK-LABEL: func.func private @triangle.0.source
// CHECK-SAME:    (%frame: !llvm.ptr, %A: !llvm.ptr {llvm.noalias}, %n: i32) attributes {cmem.as_written}
// CHECK:         cmem.view %A[] : memref<?x20xf64>
// CHECK-NOT:     poly.scop
// CHECK-NOT:     __polyopt_check_note
// CHECK:         func.return
