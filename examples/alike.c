/* How alike are the columns of a table? The sum of the products of each two of them. */

#include <stdio.h>
#include <stdlib.h>

void alike(int n, int m, double table[restrict n][m], double result[restrict m][m])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            result[i][j] = 0;
            for (int k = 0; k < n; k++)
                result[i][j] += table[k][i] * table[k][j];
        }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000, m = n;
    double (*table)[m] = malloc(n * sizeof *table);
    double (*result)[m] = malloc(m * sizeof *result);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            table[i][j] = (i * 7 + j * 3) % 11;
    alike(n, m, table, result);
    double sum = 0;
    for (int i = 0; i < m; i++)
        sum += result[i][i];
    printf("%.1f\n", sum);
    free(table);
    free(result);
    return 0;
}
