// The same loops in each form: what orders them, without what a path of others implies, and all
// pairs that touch one element. What is stored under a condition is not made a choice here.
// RUN: polyopt-cc -O2 --skip-pass=if-convert --emit=poly -o - %s | polyopt-opt -p 'poly-print-dependences{form=minimal}' | filecheck %s --check-prefix=MINIMAL
// RUN: polyopt-cc -O2 --skip-pass=if-convert --emit=poly -o - %s | polyopt-opt -p 'poly-print-dependences' | filecheck %s --check-prefix=REDUCED
// RUN: polyopt-cc -O2 --skip-pass=if-convert --emit=poly -o - %s | polyopt-opt -p 'poly-print-dependences{form=full}' | filecheck %s --check-prefix=FULL

extern double a[100], b[100];

void f(double x)
{
    for (int i = 1; i < 100; i++) {
        a[i] = x;
        if (b[i] > 0.0)
            a[i] = b[i];
        b[i - 1] = a[i] + a[1];
    }
}

// S0 always comes before S1 of its iteration, and that before S2: no dependence from S0 to S2 is
// needed as well.
// MINIMAL:      // f: may-flow
// MINIMAL-NEXT: //   { S1[i = 1] -> S2[i'] : 2 <= i' <= 99; S1[i] -> S2[i' = i] : 0 < i <= 99 }
// MINIMAL-NEXT: // f: anti
// MINIMAL-NEXT: //   { S1[i] -> S2[i' = 1 + i] : 0 < i <= 98 }
// MINIMAL-NEXT: // f: output
// MINIMAL-NEXT: //   { S0[i] -> S1[i' = i] : 0 < i <= 99 }
// MINIMAL-NEXT: // f: live-in

// What S2 reads may come from either of the two.
// REDUCED-NOT:  // f: flow
// REDUCED:      // f: may-flow
// REDUCED-DAG:  //   { S0[i = 1] -> S2[i'] : 2 <= i' <= 99; S0[i] -> S2[i' = i] : 0 < i <= 99 }
// REDUCED-DAG:  //   { S1[i = 1] -> S2[i'] : 2 <= i' <= 99; S1[i] -> S2[i' = i] : 0 < i <= 99 }
// REDUCED:      // f: live-in
// REDUCED-NEXT: //   { S1[i] -> b[i] : 0 < i <= 99 }
// REDUCED-NEXT: // f: live-out
// REDUCED-DAG:  //   { S0[i] -> a[i] : 0 < i <= 99 }
// REDUCED-DAG:  //   { S1[i] -> a[i] : 0 < i <= 99 }
// REDUCED-DAG:  //   { S2[i] -> b[-1 + i] : 0 < i <= 99 }

// No write hides another one, so any value may have come from before.
// FULL:         // f: live-in
// FULL-NEXT:    //   { S1[i] -> b[i] : 0 < i <= 99 }
// FULL-NEXT:    //   { S2[i] -> a[1] : 0 < i <= 99; S2[i] -> a[i] : 0 < i <= 99 }
