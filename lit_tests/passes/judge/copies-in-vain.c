// A copy of a function for a number that a call passes goes where nothing is made of either: the call
// goes to the function. Where something is made of the function, the copy stays.
// RUN: polyopt-cc -O3 -march=x86-64-v3 -S --emit=llvm -o - %s | filecheck %s

typedef struct { int from, to; float w; } edge;

// CHECK-NOT: @relax.20
// CHECK-LABEL: define {{.*}}@relax(
void relax(const edge *e, int n, float *d, int rounds)
{
    for (int r = 0; r < rounds; r++) {
        int changed = 0;
        for (int k = 0; k < n; k++) {
            float way = d[e[k].from] + e[k].w;
            if (way < d[e[k].to]) {
                d[e[k].to] = way;
                changed = 1;
            }
        }
        if (!changed)
            break;
    }
}

// CHECK-LABEL: define {{.*}}@shortest(
// CHECK:         call void @relax(
void shortest(const edge *e, int n, float *d) { relax(e, n, d, 20); }
