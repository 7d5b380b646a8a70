// RUN: polyopt-opt %s | filecheck %s
// Statements are blocks and branches; what cannot be reached is not there.

// A loop: test, body, step, back to the test. Conditions go into branches as they are.
// CHECK-LABEL: func.func @loop
// CHECK:         cf.br ^[[TEST:.*]]
// CHECK-NEXT:  ^[[TEST]]:
// CHECK:         %[[MORE:.*]] = arith.cmpi slt, %{{.*}}, %n : i32
// CHECK-NEXT:    cf.cond_br %[[MORE]], ^[[BODY:.*]], ^[[END:.*]]
// CHECK-NEXT:  ^[[BODY]]:
// CHECK:         arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK:         cf.br ^[[TEST]]
// CHECK-NEXT:  ^[[END]]:
// CHECK-NEXT:    func.return
void loop(int n, double *a) {
    for (int i = 0; i < n; i++) a[i] = 0;
}

// && and || are control flow.
// CHECK-LABEL: func.func @both
// CHECK:         arith.cmpi sgt
// CHECK-NEXT:    cf.cond_br %{{.*}}, ^[[SECOND:.*]], ^[[NO:.*]]
// CHECK-NEXT:  ^[[SECOND]]:
// CHECK:         memref.load
// CHECK:         cf.cond_br %{{.*}}, ^{{.*}}, ^[[NO]]
int both(int i, int *p) {
    if (i > 0 && p[i] < 3) return 1;
    return 0;
}

// ?: selects where neither arm loads or does anything, else it branches.
// CHECK-LABEL: func.func @choose
// CHECK:         arith.select
// CHECK:         cf.cond_br
// CHECK:       ^{{.*}}(%{{.*}}: i32):
int choose(int a, int b, int *p) { return (a < b ? a : b) + (p ? *p : 0); }

int next(void);
// CHECK-LABEL: func.func @dead
// CHECK-NEXT:    %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-NEXT:    func.return %[[ONE]] : i32
// CHECK-NEXT:  }
int dead(int n) {
    return 1;
    while (n) next();
    return n;
}

// CHECK-LABEL: func.func @cases
// CHECK:         cf.switch %n : i32, [
// CHECK-NEXT:      default: ^[[DEFAULT:.*]],
// CHECK-NEXT:      1: ^[[ONE:.*]],
// CHECK-NEXT:      -5: ^[[FIVE:[^ ]*]]
// CHECK:       ^[[ONE]]:
// CHECK:         cf.br ^[[FIVE]]
int cases(int n, int *p) {
    switch (n) {
    case 1: p[0] = 1;
    case -5: p[1] = 2; break;
    default: return 0;
    }
    return 1;
}

// CHECK-LABEL: func.func @jump
// CHECK:       ^[[AGAIN:.*]]:
// CHECK:         cf.cond_br %{{.*}}, ^[[BACK:.*]], ^{{.*}}
// CHECK-NEXT:  ^[[BACK]]:
// CHECK-NEXT:    cf.br ^[[AGAIN]]
void jump(int n, int *p) {
again:
    p[n]++;
    if (p[n] < 10) goto again;
}
