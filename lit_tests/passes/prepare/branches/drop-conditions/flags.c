// A flag is the number that it was found equal to, or, of two numbers, the other one; a loop that is
// entered with a flag set and goes back only then never sees another value.
// RUN: polyopt-opt %s -p 'promote-scalars,clean-values,drop-conditions' | filecheck %s

void use(int);

// What an iteration leaves in done does not depend on what it was before.
void until_done(int n)
{
    int done = 0;
    for (int i = 0; !done; i++) {
        use(done);
        if (i >= n)
            done = 1;
    }
}
// CHECK-LABEL: func.func @until_done(
// CHECK:         cf.cond_br
// CHECK:         %1 = arith.constant 0 : i32
// CHECK-NEXT:    func.call @use(%1)

void goes_on(int n)
{
    int i = 0, go = 7;
    do {
        use(go);
        if (++i >= n)
            go = 0;
    } while (go);
}
// CHECK-LABEL: func.func @goes_on(
// CHECK:       ^bb1(
// CHECK:         %1 = arith.constant 7 : i32
// CHECK-NEXT:    func.call @use(%1)

// Of three numbers nothing is known where it is not the first.
void three(int n, int m)
{
    int state = 0;
    for (int i = 0; i < n; i++) {
        if (state != 0)
            use(state);
        state = i < m ? 1 : 2;
    }
}
// CHECK-LABEL: func.func @three(
// CHECK:         func.call @use(%state
