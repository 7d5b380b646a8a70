/* What a program gives back: exit in the middle, its status cut to eight bits. */
#include <stdio.h>
#include <stdlib.h>
static void leave(void) { puts("leaving"); }
int main(void) {
    atexit(leave);
    printf("before");
    if (getenv("NO_SUCH_VARIABLE") == NULL) exit(300);
    return 1;
}
