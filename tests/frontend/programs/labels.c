/* GNU C's labels: as values, which gotos choose among, and of one block alone. */
#include <stdio.h>

/* An interpreter: each instruction jumps to the next one. */
static int run(const unsigned char *code, int x) {
    static const void *const table[] = {&&stop, &&inc, &&dbl, &&dec, &&loop};
    const unsigned char *pc = code;
    int n = 0;
#define NEXT goto *table[*pc++]
    NEXT;
inc:
    x += 1;
    NEXT;
dbl:
    x *= 2;
    NEXT;
dec:
    x -= 3;
    NEXT;
loop:
    if (++n < pc[0])
        pc -= 4;
    else
        pc++, n = 0;
    NEXT;
stop:
    return x;
}

/* Places as differences from one label, and in variables. */
static int relative(int k) {
    static const int offsets[] = {&&zero - &&zero, &&one - &&zero, &&two - &&zero};
    goto *(&&zero + offsets[k]);
zero:
    return 10;
one:
    return 11;
two:
    return 12;
}

static int resumed(int k) {
    void *where = k > 3 ? &&big : &&small;
    for (int i = 0; i < 3; i++)
        if (i == k) goto *where;
    return -1;
big:
    return k;
small:
    where = &&big;
    if (k < 100) {
        k += 100;
        goto *where;
    }
    return 2;
}

static int known(int x) {
    goto *&&behind;
    x = 0;
behind:
    return x;
}

/* Each use of the macro has a label of its own. */
#define ROOT(x) \
    ({ \
        __label__ found; \
        int k; \
        for (k = 0; k < 10; k++) \
            if (k * k >= (x)) goto found; \
        k = -1; \
    found: \
        k; \
    })

static void nested(void) {
    __label__ a, b;
    goto b;
a:
    puts("outer a");
    return;
b: {
    __label__ a;
    void *here = &&a;
    goto *here;
a:
    puts("inner a");
}
    goto a;
}

int main(void) {
    static const unsigned char code[] = {1, 2, 3, 4, 5, 1, 2, 0};
    printf("%d %d\n", run(code, 3), run(code + 5, 10));
    printf("%d %d %d\n", relative(0), relative(1), relative(2));
    printf("%d %d %d\n", resumed(0), resumed(2), resumed(9));
    printf("%d\n", known(7));
    printf("%d %d %d\n", ROOT(10), ROOT(50), ROOT(1000));
    nested();
    return 0;
}
