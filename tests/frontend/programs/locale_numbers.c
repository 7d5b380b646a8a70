/* How numbers are written here: each member of struct lconv lies where the C library puts it. */
#include <locale.h>

int printf(const char *, ...);

#define AT(member) printf(#member " %d\n", (int)((char *)&l->member - (char *)l))

int main(void) {
    struct lconv *l = localeconv();
    AT(thousands_sep), AT(int_curr_symbol), AT(mon_grouping), AT(negative_sign);
    AT(int_frac_digits), AT(n_cs_precedes), AT(n_sign_posn), AT(int_n_sign_posn);
    printf("%d %d '%s' '%s' '%s' %d\n", (int)sizeof *l, setlocale(LC_ALL, NULL) != NULL,
           l->decimal_point, l->thousands_sep, l->currency_symbol, l->frac_digits);
    return 0;
}
