#include <stdio.h>

#define PLUS(a, b) a ## b +
#define THREE(a, b, c) #a "|" TEXT(a ## b ## c)
#define TEXT(x) WORDS(x)
#define WORDS(x) "[" #x "]"
#define BOTH(a, b) #a a ## b #b
#define CALL(f, ...) f(1, ## __VA_ARGS__)
#define ONE_OR_TWO(a, ...) (a + sizeof(#__VA_ARGS__))

static int called;

static int *place(void)
{
    static int kept[2];
    called++;
    return kept;
}

int main(void)
{
    int x1 = 7;
    printf("%d %d\n", 60 PLUS(+,)3, 60 PLUS(,-)3);
    puts(THREE(,,));
    puts(THREE(x,,));
    puts(THREE(,y,));
    puts(THREE(,,z));
    puts(THREE(x,,z));
    puts(THREE(x,y,));
    puts(THREE(,y,z));
    puts(THREE(x,y,z));
    printf("%s %d\n", BOTH(,"q"), PLUS(x,1)0);
    printf("%d %d\n", (int)CALL(ONE_OR_TWO), (int)CALL(ONE_OR_TWO, 2));
    /* What stands in the operands of an assembly of nothing is done, once. */
    __asm__("" : "+r"(*place()));
    __asm__("" : "=r"(*place()) : "0"(5));
    __asm__("" : "=m"(place()[called]) : "r"(place()));
    printf("%d\n", called);
    printf("%d\n", *place());
    return 0;
}
