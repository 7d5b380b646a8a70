/* Statements are blocks, and so is what they consist of: how far a name declared in a condition, a
   cast, a sizeof or a list of parameters reaches. */
#include <stdio.h>

enum { in = 0 };
typedef int T;

static int in_if(void) {
    if (sizeof(enum { in = 1 })) {
    }
    return in;
}
static int in_while(void) {
    while (sizeof(enum { in = 1 }) == 0) {
    }
    return in;
}
static int while_body(int n) {
    int sum = 0;
    while (n-- > 0 && sizeof(enum { in = 6 })) sum += in;
    return sum + in;
}
static int in_for(void) {
    int z;
    for (z = (enum { in = 1, last = 3 })1; z < last; z++)
        if (z == 2) return in * 100 + z;
    return in;
}
static int in_switch(void) {
    switch ((enum { in = 2 })0) {
        case in: return 5;
        default: return in * 10;
    }
}
static int in_do(void) {
    do {
    } while ((enum { in = 4 })0);
    return in;
}
static int in_branches(int n) {
    if (n)
        (void)sizeof(enum { in = 7 });
    else
        return in + (enum { in = 8 })1 + in;
    return in;
}
static int tag_in_condition(void) {
    struct s { int a; };
    if (sizeof(struct s { char a[100]; }) == 100) {
    }
    return sizeof(struct s);
}
static int in_block(void) {
    (void)sizeof(enum { in = 3 }); /* a plain statement is no block */
    return in;
}
static int type_name_is_back(void) {
    for (int T = 0; T < 3; T++) {
    }
    T x = 1;
    if (sizeof(enum { T = 1 })) {
    }
    T y = 2;
    return x + y;
}
static int of_parameters(enum { in = 9 } x) { return in + x; }
static int tag_of_parameters(struct pair { int a, b; } *p) {
    struct pair copy = *p;
    return copy.a + copy.b;
}

int main(void) {
    int pair[2] = {1, 2};
    printf("%d %d %d %d %d\n", in_if(), in_while(), while_body(3), in_for(), in_switch());
    printf("%d %d %d %d %d\n", in_do(), in_branches(0), in_branches(1), in_block(), in);
    printf("%d %d\n", tag_in_condition(), type_name_is_back());
    printf("%d %d\n", of_parameters(1), tag_of_parameters((void *)pair));
    return 0;
}
