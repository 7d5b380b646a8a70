/* Code that compilers warn of, and that has a meaning all the same. */
#include <stdio.h>
static int no_return(int x) { if (x) return 5; }
int main(void) {
    const int c = 5;
    int *p = (int *)&c;
    unsigned char *q = (void *)p;
    int unused = 3;
    long l = (long)p;
    printf("%d %d %d\n", no_return(1), *q, l == (long)&c);
    if (unused = 0) return 1;
    "no effect";
    c;
    *p;
    return 0;
}
