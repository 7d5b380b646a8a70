/* Each row is computed from the right neighbours of the row above: the loops cannot change places. */

void sweep(int n, double A[restrict n][n])
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n - 1; j++)
            A[i][j] += A[i - 1][j + 1];
}
