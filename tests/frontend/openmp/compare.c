/* A place that is changed where a comparison with it holds. */
#include <stdio.h>

#define N 200

int main(void)
{
    int x = 3, most = -5, least = 900, taken = 0, kept[N], told[N];
    double top = -1e30;
    unsigned char narrow = 250;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int value = i * 37 % 101;
#pragma omp atomic compare
        if (most < value) {
            most = value;
        }
#pragma omp atomic compare
        least = value < least ? value : least;
#pragma omp atomic compare
        if (value * .5 > top) {
            top = value * .5;
        }
        int old;
#pragma omp atomic compare capture
        {
            old = x;
            if (x == 3) {
                x = 4 + value;
            }
        }
        kept[i] = old == 3;
        int mine;
#pragma omp atomic compare capture seq_cst
        {
            mine = taken == 0;
            if (mine) {
                taken = i + 1;
            }
        }
        told[i] = mine;
        int seen = -7;
#pragma omp atomic compare capture
        if (narrow == 250) {
            narrow = 251 + value % 3;
        } else {
            seen = narrow;
        }
        if (seen == 250 || seen == 0)
            printf("wrong\n");
#pragma omp atomic compare weak fail(relaxed)
        x = x == -1 ? i : x;
    }
    int firsts = 0, takers = 0, which = 0;
    for (int i = 0; i < N; i++) {
        firsts += kept[i];
        takers += told[i];
        which += told[i] ? i + 1 - taken : 0;
    }
    long after;
#pragma omp atomic compare capture
    {
        if (most == 100) {
            most = -3;
        }
        after = most;
    }
    printf("%d %d %g %d %d %d %d %ld %d\n", most, least, top, firsts, takers, which, x >= 4, after,
           narrow != 250);
    return 0;
}
