// The last place where something held is the greatest of what the counter becomes in these iterations: an update
// whose order is free. What is stored is computed from it behind the loop, unless it is still the least there is.
// RUN: polyopt-opt %s -p 'promote-scalars,clean-values,if-convert' | filecheck %s

// CHECK-LABEL: func.func @last(
// CHECK:         memref.store %f, [[F:%.*]][] : memref<i32>
// CHECK:         [[LEAST:%.*]] = arith.constant -2147483648 : i32
// CHECK-NEXT:    memref.store [[LEAST]], [[BEST:%.*]][] : memref<i32>
// CHECK:         [[NEXT:%.*]] = arith.addi %i, {{%.*}} overflow<nsw> : i32
// CHECK-NEXT:    [[NONE:%.*]] = arith.constant -2147483648 : i32
// CHECK-NEXT:    [[NEW:%.*]] = arith.select {{%.*}}, [[NEXT]], [[NONE]] : i32
// CHECK-NEXT:    [[OLD:%.*]] = memref.load [[BEST]][] : memref<i32>
// CHECK-NEXT:    [[MAX:%.*]] = arith.maxsi [[NEW]], [[OLD]] : i32
// CHECK-NEXT:    memref.store [[MAX]], [[BEST]][] : memref<i32>
// CHECK:         [[FOUND:%.*]] = memref.load [[BEST]][] : memref<i32>
// CHECK-NEXT:    [[NOTHING:%.*]] = arith.constant -2147483648 : i32
// CHECK-NEXT:    [[ANY:%.*]] = arith.cmpi ne, [[FOUND]], [[NOTHING]] : i32
// CHECK-NEXT:    [[ONE:%.*]] = arith.constant 1 : i32
// CHECK-NEXT:    [[AT:%.*]] = arith.subi [[FOUND]], [[ONE]] : i32
// CHECK-NEXT:    [[BEFORE:%.*]] = memref.load [[F]][] : memref<i32>
// CHECK-NEXT:    [[LAST:%.*]] = arith.select [[ANY]], [[AT]], [[BEFORE]] : i32
// CHECK-NEXT:    memref.store [[LAST]], [[F]][] : memref<i32>
int last(int lo, int n, const double *x, double t, int f)
{
    for (int i = lo; i < n; i++)
        if (x[i] > t)
            f = i;
    return f;
}

// An unsigned counter, which `i < n` keeps from wrapping around; the place is cut, and more than the counter.
// CHECK-LABEL: func.func @computed(
// CHECK:         arith.maxui {{.*}} : i64
// CHECK:         [[AT:%.*]] = arith.subi {{%.*}}, {{%.*}} : i64
// CHECK-NEXT:    [[CUT:%.*]] = arith.trunci [[AT]] : i64 to i32
// CHECK:         arith.addi [[CUT]], {{%.*}} : i32
// CHECK:         arith.select
int computed(unsigned long n, const double *x, double t, int f)
{
    for (unsigned long i = 0; i < n; i++)
        if (x[i] > t)
            f = (int)i + 1;
    return f;
}

// Of two conditions either; and what else is added up.
// CHECK-LABEL: func.func @either(
// CHECK:         arith.maxsi
// CHECK-NOT:     arith.maxsi
int either(int n, const double *x, double t, long *count)
{
    int f = -1;
    long c = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] > t || x[i] < -t) {
            f = i;
            c++;
        }
    }
    *count = c;
    return f;
}

// The counter of a loop around, too: what is stored under the same condition needs one greatest place.
// CHECK-LABEL: func.func @both(
// CHECK:         arith.maxsi
// CHECK-NOT:     arith.maxsi
// CHECK:         arith.select {{%.*}}, %i_{{[0-9]}}, {{%.*}} : i32
// CHECK:         [[AT:%.*]] = arith.subi
// CHECK:         arith.select {{%.*}}, [[AT]], {{%.*}} : i32
void both(int n, const double (*x)[200], double t, int *r)
{
    int a = -1, b = -1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 200; j++)
            if (x[i][j] > t) {
                a = i;
                b = j;
            }
    r[0] = a;
    r[1] = b;
}
