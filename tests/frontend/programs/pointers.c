/* Pointer arithmetic, comparison, pointers to pointers, arrays and functions' arguments. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}
static int sum(const int *from, const int *to) {
    int s = 0;
    while (from != to) s += *from++;
    return s;
}
static void set(int **where, int *what) { *where = what; }
static int length(const char *s) {
    const char *p = s;
    while (*p) ++p;
    return p - s;
}
static double trace(int n, double (*m)[n]) {
    double t = 0;
    for (int i = 0; i < n; i++) t += m[i][i];
    return t;
}
static int third(int a[static 3]) { return a[2]; }
static int *largest(int *a, int n) {
    int *best = a;
    for (int *p = a + 1; p < a + n; p++)
        if (*p > *best) best = p;
    return best;
}

int main(void) {
    int a[10];
    for (int i = 0; i < 10; i++) *(a + i) = (i * 7) % 10;
    swap(&a[0], a + 9);
    swap(a, &a[5]);
    for (int *p = a; p < &a[10]; p++) printf("%d ", *p);
    printf("\n%d %td %td\n", sum(a + 2, a + 7), largest(a, 10) - a, &a[3] - &a[8]);
    int *p = a + 5;
    printf("%d %d %d\n", p[-1], *(p - 2), 3 [a]);
    printf("%d ", *--p);
    printf("%d ", *p++);
    printf("%d\n", (*p)++);
    printf("%d %d\n", *p, p == a + 5);
    p += 2;
    p -= 1;
    printf("%td %d %d\n", p - a, p > a, p <= a);

    int x = 1, y = 2, *q = &x, **qq = &q;
    **qq = 5;
    set(qq, &y);
    *q = 6;
    printf("%d %d %d\n", x, y, q == &y);
    printf("%d\n", length("a string of text"));

    double m[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    double(*row)[3] = m;
    printf("%g %g %g %g\n", trace(3, m), row[1][2], (*(row + 2))[0], *row[1]);
    double *flat = &m[0][0];
    double total = 0;
    for (int i = 0; i < 9; i++) total += flat[i];
    printf("%g %zu %zu %zu\n", total, sizeof m, sizeof *row, sizeof m[0][0]);
    printf("%td %d\n", &m[2][1] - &m[0][0], &m[1] == row + 1);

    int cube[2][3][4];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++) cube[i][j][k] = i * 100 + j * 10 + k;
    int(*plane)[3][4] = &cube[1];
    int(*line)[4] = cube[1];
    int *cell = cube[1][2];
    printf("%d %d %d %d\n", (*plane)[1][2], line[2][3], cell[1], third(cube[0][1]));

    const char *words[] = {"zero", "one", "two", 0};
    const char **w = words;
    int count = 0;
    while (*w) count += length(*w++);
    printf("%d %s %c\n", count, words[1], words[2][1]);
    char *const fixed = malloc(8);
    for (int i = 0; i < 7; i++) fixed[i] = 'a' + i;
    fixed[7] = 0;
    printf("%s %s\n", fixed, fixed + 3);
    void *v = fixed;
    char *back = v;
    printf("%d %d %d\n", back == fixed, v != NULL, !v);
    free(v);
    uintptr_t address = (uintptr_t)&a[3];
    printf("%d %ld\n", *(int *)address, (long)((uintptr_t)&a[4] - address));
    int *null = 0;
    printf("%d %d %d\n", null == 0, null ? 1 : 2, !null && a);
    unsigned char *bytes = (unsigned char *)&x;
    printf("%d %d\n", bytes[0], bytes[3]);
    int(*whole)[10] = &a;
    printf("%d %zu\n", (*whole)[4], sizeof *whole);
    int **table = malloc(3 * sizeof *table);
    for (int i = 0; i < 3; i++) {
        table[i] = malloc((i + 1) * sizeof **table);
        for (int j = 0; j <= i; j++) table[i][j] = i + j;
    }
    printf("%d %d\n", table[2][1], *table[1]);
    for (int i = 0; i < 3; i++) free(table[i]);
    free(table);
    long diff = (char *)&m[1][0] - (char *)&m[0][0];
    printf("%ld\n", diff);
    return *p - *p;
}
