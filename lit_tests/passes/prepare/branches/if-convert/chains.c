// RUN: polyopt-opt %s -p promote-scalars,clean-values,if-convert | filecheck %s

// Conditions that may be computed anywhere are one selection, and what is added under a condition is
// chosen and always added. Where the second condition divides or loads, it is computed under the first
// one, and so is what is added (sunk-updates.c).

// CHECK-LABEL: func.func @capitals
// CHECK:         %[[A:.*]] = arith.cmpi sge, %[[C:.*]], %{{.*}} : i32
// CHECK-NEXT:    %[[Z:.*]] = arith.cmpi sle, %[[C]], %{{.*}} : i32
// CHECK:         %[[OLD:.*]] = memref.load %many[]
// CHECK:         %[[ONE:.*]] = arith.select %[[Z]], %{{.*}}, %{{.*}} : i32
// CHECK:         %[[TERM:.*]] = arith.select %[[A]], %[[ONE]], %{{.*}} : i32
// CHECK:         %[[SUM:.*]] = arith.addi %[[OLD]], %[[TERM]]
// CHECK-NEXT:    memref.store %[[SUM]], %many[]
int capitals(int n, const char *text)
{
    int many = 0;
    for (int i = 0; i < n; i++)
        if (text[i] >= 'A' && text[i] <= 'Z')
            many++;
    return many;
}

// CHECK-LABEL: func.func @either
// CHECK:         %[[LOW:.*]] = arith.cmpi slt, %{{.*}}, %0 : i32
// CHECK-NEXT:    %[[HIGH:.*]] = arith.cmpi sgt
// CHECK-NEXT:    %[[YES:.*]] = arith.constant true
// CHECK-NEXT:    arith.select %[[LOW]], %[[YES]], %[[HIGH]] : i1
// CHECK-NOT:     cf.cond_br
// CHECK:         cf.br
void either(int n, const int *x, int *y)
{
    for (int i = 0; i < n; i++)
        if (x[i] < 3 || x[i] > 9)
            y[i] = 1;
        else
            y[i] = x[i];
}

// One arm adds and the other one subtracts: what is subtracted is negated.
// CHECK-LABEL: func.func @balance
// CHECK:         %[[MINUS:.*]] = arith.subi %{{.*}}, %[[X:.*]] : i32
// CHECK-NEXT:    %[[TERM:.*]] = arith.select %{{.*}}, %[[X]], %[[MINUS]] : i32
// CHECK-NEXT:    arith.addi %{{.*}}, %[[TERM]]
unsigned balance(int n, const unsigned *x)
{
    unsigned left = 0;
    int i = 0;
    do {
        if (x[i] % 3 == 1)
            left += x[i];
        else
            left -= x[i];
    } while (++i < n);
    return left;
}

// CHECK-LABEL: func.func @quotients
// CHECK:         %[[SOME:.*]] = arith.cmpi ne
// CHECK:         %[[TERM:.*]] = scf.if %[[SOME]] -> (i32) {
// CHECK:           arith.divui
// CHECK:         arith.addi %{{.*}}, %[[TERM]]
int quotients(int n, const unsigned *x)
{
    int many = 0;
    for (int i = 0; i < n; i++)
        if (x[i] != 0 && 100u / x[i] > 3)
            many++;
    return many;
}

// CHECK-LABEL: func.func @elsewhere
// CHECK:         cf.cond_br
// CHECK:         %[[TERM:.*]] = scf.if %{{.*}} -> (i32) {
// CHECK:           memref.load %{{.*}}[%{{.*}}]
// CHECK:         arith.addi %{{.*}}, %[[TERM]]
int elsewhere(int n, const int *x, const int *y)
{
    int many = 0;
    for (int i = 0; i < n; i++)
        if (x[i] >= 0 && y[x[i]] > 3)
            many++;
    return many;
}

// A sum that is added up as C says takes -0.0 where nothing is added, which changes no number: the
// next one waits for the sum alone.
// CHECK-LABEL: func.func @in_order
// CHECK:         %[[NOTHING:.*]] = arith.constant -0.000000e+00 : f64
// CHECK:         %[[X:.*]] = arith.select %{{.*}}, %{{.*}}, %[[NOTHING]] : f64
// CHECK-NEXT:    arith.addf %{{.*}}, %[[X]] : f64
double in_order(int n, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        if (x[i] > 1.0)
            sum += x[i];
    return sum;
}

// 0.0 is taken away: -0.0 would make a sum of -0.0 another one.
// CHECK-LABEL: func.func @taken_away
// CHECK:         %[[NOTHING:.*]] = arith.constant 0.000000e+00 : f64
// CHECK:         %[[X:.*]] = arith.select %{{.*}}, %{{.*}}, %[[NOTHING]] : f64
// CHECK-NEXT:    arith.subf %{{.*}}, %[[X]] : f64
double taken_away(int n, double sum, const double *x)
{
    for (int i = 0; i < n; i++)
        if (x[i] > 1.0)
            sum -= x[i];
    return sum;
}

// Products that are to be rounded in their order are chosen as they are.
// CHECK-LABEL: func.func @product_in_order
// CHECK:         %[[P:.*]] = arith.mulf
// CHECK:         arith.select %{{.*}}, %[[P]], %{{.*}} : f64
double product_in_order(int n, const double *x)
{
    double product = 1.0;
    for (int i = 0; i < n; i++)
        if (x[i] > 1.0)
            product *= x[i];
    return product;
}

// What is added to was loaded before something else was stored: where nothing is added, the place
// keeps what was stored last.
// CHECK-LABEL: func.func @overwritten
// CHECK:         %[[OLD:.*]] = memref.load %held[]
// CHECK:         memref.store %{{.*}}, %held[]
// CHECK:         %[[MORE:.*]] = arith.addi %[[OLD]], %{{.*}}
// CHECK:         %[[LAST:.*]] = memref.load %held[]
// CHECK:         %[[NEW:.*]] = arith.select %{{.*}}, %[[MORE]], %[[LAST]] : i32
// CHECK:         memref.store %[[NEW]], %held[]
int overwritten(int n, const int *x, const int *y)
{
    int held = 0;
    for (int i = 0; i < n; i++) {
        int before = held;
        held = y[i];
        if (x[i] > 0)
            held = before + 1;
    }
    return held;
}

// Four counts under conditions one behind the other: what is computed is long, but lanes count all of
// them. What is not a count in a variable stays where it is as long as that.
// CHECK-LABEL: func.func @kinds
// CHECK:         cf.cond_br
// CHECK-NOT:     cf.cond_br
// CHECK:         func.return
void kinds(int n, const char *s, int *count)
{
    int letters = 0, digits = 0, blanks = 0, others = 0;
    for (int i = 0; i < n; i++) {
        char c = s[i];
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
            letters++;
        else if (c >= '0' && c <= '9')
            digits++;
        else if (c == ' ' || c == '\t' || c == '\n')
            blanks++;
        else
            others++;
    }
    count[0] = letters, count[1] = digits, count[2] = blanks, count[3] = others;
}

// CHECK-LABEL: func.func @greatest_of_kinds
// CHECK-COUNT-2: cf.cond_br
// CHECK:         func.return
void greatest_of_kinds(int n, const int *s, int *most)
{
    int even = 0, odd = 0, third = 0;
    for (int i = 0; i < n; i++) {
        int c = s[i];
        if (c & 1) {
            int d = (c ^ c >> 3) + (c << 2 ^ c >> 5) - (c >> 7) * 3;
            odd = odd > d ? odd : d;
        } else {
            int d = (c ^ c >> 2) - (c << 3 ^ c >> 4) + (c >> 9) * 5;
            even = even > d ? even : d;
            third = third > d + 3 ? third : d + 3;
        }
    }
    most[0] = even, most[1] = odd, most[2] = third;
}
