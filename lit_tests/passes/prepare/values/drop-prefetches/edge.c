// At the edges: outside of loops a prefetch stays; what an outer loop has loaded is no data to the
// inner one; without the polyhedral middle all of them stay.
// RUN: polyopt-cc --cache=off -w -O3 -S %s -o - | filecheck %s
// RUN: polyopt-cc --cache=off -w -O1 -fno-poly -S %s -o - | filecheck %s --check-prefix ALL

// CHECK-LABEL: once:
// CHECK:         prefetcht1
// ALL-LABEL:   once:
// ALL:           prefetcht1
void once(char *p) { __builtin_prefetch(p, 0, 2); }

// CHECK-LABEL: rows:
// CHECK-NOT:     prefetch
// CHECK-LABEL: list:
// ALL-LABEL:   rows:
// ALL:           prefetchnta
double rows(double **a, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            __builtin_prefetch(a[i] + j + 32, 0, 0);
            sum += a[i][j];
        }
    return sum;
}

// CHECK:         prefetcht0
// ALL-LABEL:   list:
// ALL:           prefetcht0
struct node { struct node *next; int value; };
int list(struct node *p) {
    int sum = 0;
    for (; p != 0; p = p->next) {
        __builtin_prefetch(p->next);
        sum += p->value;
    }
    return sum;
}
