// A pointer that goes round a loop as one of several is told apart from the objects that it is none
// of; one that only goes on in its array needs no word, and of one that came from outside nothing
// is known. Where nothing is optimised, nobody asks.
// RUN: polyopt-cc -O3 -fno-poly --emit=llvm %s -o - | filecheck %s
// RUN: polyopt-cc -O0 --emit=llvm %s -o - | filecheck %s --check-prefix=PLAIN

// PLAIN-NOT: alias.scope

int front[2][100], off[101], seen[100];

// CHECK-LABEL: define dso_local i32 @swapped
// CHECK:         load i32, ptr {{.*}}, !alias.scope [[OFF:![0-9]+]], !noalias [[NOT_OFF:![0-9]+]]
// CHECK:         store i32 {{.*}}, !alias.scope [[FRONT:![0-9]+]], !noalias [[NOT_FRONT:![0-9]+]]
// CHECK:       }
int swapped(int n)
{
    int *now = front[0], *next = front[1], m = 0;
    for (int t = 0; t < n; t++) {
        for (int k = 0; k < off[t]; k++)
            next[k] = 7;
        m += now[t];
        int *old = now;
        now = next;
        next = old;
    }
    return m;
}

// CHECK-LABEL: define dso_local void @onward
// CHECK-NOT:     alias.scope
// CHECK:       }
void onward(int n)
{
    int *p = seen;
    while (n-- > 0)
        *p++ = off[n];
}

// CHECK-LABEL: define dso_local void @from_outside
// CHECK-NOT:     alias.scope
// CHECK:       }
void from_outside(int *p, int *q, int n)
{
    for (int t = 0; t < n; t++) {
        p[off[t]] = 1;
        int *old = p;
        p = q;
        q = old;
    }
}
