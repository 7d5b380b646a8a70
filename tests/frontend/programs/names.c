/* Names in other scripts than Latin's (C 6.4.2.1), wherever names stand,
   and as universal character names (6.4.3). */
#include <stdio.h>

#define Größe 3
#define JOIN(a, b) a##b
#define STR(x) #x
#define $(x) (x + 1)
#define joe$ 20
#define F 140
#define f nothing
#define L
#define e2F +
#define $10(x) x * 10

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
    int \u00fcber = 2, Z\u00FCrich = 5, x\U0001d465 = 6;
    printf("%d %d %d %s \u00e9\n", über, Zürich, x𝑥, STR(\u00e9t\u00E9));
    printf("%d\n", JOIN(\u00fc, ber) + JOIN(Z\u00fcr, ich));
    int x😀 = 8, 🚀 = 9, \U0001F600y = 1, n⃗ = 2;
    printf("%d %s\n", x\U0001f600 + 🚀 + 😀y + n⃗, STR(🚀));
    printf("%d %d %d %s\n", $(3), joe$, $10(4), STR($x y$));
    printf("%g %g %g %zu %llu %g\n", 0.5F, 1.F, .25F, sizeof 1.5f, 12ULL, 1e2F + 3.0f);
    goto Ende;
Ende:
    return 0;
}
