/* The sizes in the types of parameters are evaluated on entry, also that which the parameter loses
   as it becomes a pointer. */
#include <stdio.h>

static int calls;
static int count(int n) {
    calls++;
    return n;
}

static int outermost(int i, int a[i++]) { return i; }
static int minimum(int i, int a[static i++]) { return i; }
static int all(int i, int n, double a[i++][n++], double b[i][n]) {
    return i * 100 + n * 10 + sizeof b[0] / sizeof b[0][0];
}
static int called(int n, int a[count(n)][count(n)]) { return calls * 100 + sizeof a[0]; }
static int chosen(int i, int a[i ? i++ : 7], int b[i > 3 && i++]) { return i; }
static int behind_pointer(int i, int (*a)[i++]) { return i * 100 + sizeof *a; }
static int printed(int n, char a[printf("entered with %d\n", n)]) { return n; }
static int assigned(int n, int m, int a[n = 2 * m]) { return n; }
static int declared_only(int i, int a[i++]);
static int declared_only(int i, int *a) { return i; }

int main(void) {
    int a[100];
    double d[10][10];
    printf("%d %d %d\n", outermost(10, a), minimum(3, a), all(3, 4, (void *)d, (void *)d));
    printf("%d %d %d\n", called(4, (void *)a), chosen(3, a, a), chosen(0, a, a));
    printf("%d %d\n", behind_pointer(3, (void *)a), printed(3, (char *)a));
    printf("%d %d\n", assigned(1, 4, a), declared_only(5, a));
    return 0;
}
