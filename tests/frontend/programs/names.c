/* Names in other scripts than Latin's (C 6.4.2.1), wherever names stand. */
#include <stdio.h>

#define Größe 3
#define JOIN(a, b) a##b
#define STR(x) #x

struct Tür {
    int höhe;
};

int äußere = 5;

static int 加(int α, int Lβ) { return α + Lβ; }

int main(void) {
    int π = 3, café = 4, uñ = 1, JOIN(é, 2) = 7;
    struct Tür tür = {.höhe = Größe};
    int *ζ = &π;
    for (int ι = 0; ι < 3; ι++) π += ι;
    printf("%d %d %d %d\n", π, *ζ, 加(café, uñ), é2);
    printf("%d %d %s\n", tür.höhe, äußere, STR(été));
    goto Ende;
Ende:
    return 0;
}
