// RUN: polyopt-cc -O2 --skip-pass=keep-what-pays --emit=poly -o - %s | filecheck %s

// Values that are read in front of a SCoP are compared with what it writes, each at its own place:
// members of a structure in one range, elements far apart in one each.

struct sizes {
    int rows, other, columns;
};

// CHECK-LABEL: func.func @members
// CHECK:         %[[BYTES:.*]] = arith.constant 12 : index
// CHECK:         %[[END:.*]] = arith.addi %[[START:.*]], %[[BYTES]] : index
// CHECK-DAG:     arith.cmpi sle, %[[END]], %{{.*}} : index
// CHECK-DAG:     arith.cmpi sle, %{{.*}}, %[[START]] : index
// CHECK-NOT:     arith.cmpi sle
// CHECK:         poly.scop "members"
void members(int *a, const struct sizes *s)
{
    for (int i = 0; i < s->rows; i++)
        for (int j = 0; j < s->columns; j++)
            a[i * 100 + j] += i + j;
}

// CHECK-LABEL: func.func @far_apart
// CHECK-DAG:     %[[NEAR:.*]] = arith.constant 4 : index
// CHECK-DAG:     %[[FAR:.*]] = arith.constant 404 : index
// CHECK-DAG:     arith.addi %[[P:.*]], %[[NEAR]] : index
// CHECK-DAG:     arith.addi %[[P]], %[[FAR]] : index
// CHECK:         poly.scop "far_apart"
void far_apart(int *a, const int *p)
{
    for (int i = 0; i < p[0]; i++)
        for (int j = 0; j < p[100]; j++)
            a[i * 100 + j] += i + j;
}
