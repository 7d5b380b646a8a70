/* What attributes say of a declaration they say wherever they stand in it: behind a star, behind
   its qualifiers, in brackets around the name. */
#include <stdio.h>

static void ended(char **text) { printf("ended %s\n", *text); }
static void counted(int *number) { printf("counted %d\n", *number); }

static char *const __attribute__((unused)) unread = "unread";
char *__attribute__((weak)) soft(void) { return "soft"; }
char *__attribute__((noinline)) *const __attribute__((section(".here"))) placed = 0;

static char *returned(void) {
    char *__attribute__((cleanup(ended))) text = "returned";
    return text;
}

int main(void) {
    char *__attribute__((cleanup(ended))) a = "a", *__attribute__((cleanup(ended))) b = "b";
    __attribute__((cleanup(ended))) char *c = "c";
    char *d __attribute__((cleanup(ended))) = "d";
    char *const __attribute__((cleanup(ended))) e = "e";
    char *__attribute__((cleanup(ended))) const f = "f";
    char *(__attribute__((cleanup(ended))) g) = "g";
    int __attribute__((cleanup(counted))) i = 1;
    int j __attribute__((cleanup(counted))), k = 2;
    const __attribute__((cleanup(counted))) int l = 3;
    char **__attribute__((unused)) p = &a;
    j = 5;
    printf("%s\n", returned());
    printf("%s %d\n", soft(), k + (placed == 0));
    for (int __attribute__((cleanup(counted))) q = 7; q < 8; q++)
        ;
    return 0;
}
