void star(int n, double A[restrict n][n], double B[restrict n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j <= i; j++)
            B[i][j] = A[i][j] + 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
}
