/* A product of matrices whose loops a person orders, by a pragma. */

void product(int n, double C[restrict n][n], double A[restrict n][n], double B[restrict n][n])
{
    #pragma polyopt interchange(j, k) tile(32, 32) parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
}
