/* Nests left where counters are equal to something, which they may never be; counters behind. */

// 1 scop, 2 deep, exact
int counter_where_a_sum_is_met(int n, int m, double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (i + j == 12) return j;
            A[i][j] += i * j;
        }
    return -1;
}
// 1 scop, 2 deep, range
int stored_where_a_sum_is_met(int n, int m, double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (i + j == 12) {
                A[i][j] = -1;
                return 3;
            }
            A[i][j] += i * j;
        }
    return -1;
}
// 1 scop, 2 deep, exact
int last_of_inner_loops(int n, int m, double A[n][m]) {
    int j = 0;
    for (int i = 0; i < n; i++)
        for (j = 0; j < m; j++) {
            if (i + j == 12) break;
            A[i][j] += i * j;
        }
    return j;
}
// 1 scop, 2 deep, exact
int both_counters_behind(int n, int m, double A[n][m]) {
    int i = 0, j = 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) {
            if (2 * i + 3 * j == 36) goto out;
            A[i][j] += i * j;
        }
out:
    return i * 1000 + j;
}
// 1 scop, 2 deep, range
int downwards(int n, int m, double A[n][m]) {
    int i, j = 9;
    for (i = n - 1; i >= 0; i--)
        for (j = m - 1; j >= 0; j--) {
            if (i + j == 12) {
                A[i][j] += 3;
                return i * 100 + j;
            }
            A[i][j] += i * j;
        }
    return i * 1000 + j;
}
// 1 scop, 1 deep, exact
int two_numbers_to_meet(int n, int m, double A[n][m]) {
    int i = 0;
    double *row = A[0];
    for (; i < 40; i++) {
        if (i == n) break;
        if (i == m) break;
        row[i] += i;
    }
    return i;
}
// 1 scop, 1 deep, exact
int met_by_large_steps(int n, int m, double A[n][m]) {
    int i;
    double *row = A[0];
    for (i = 0; i < n; i += 3) {
        if (2 * i == m) break;
        row[i] += 2;
    }
    return i;
}
// 1 scop, 3 deep, exact
int three_deep(int n, int m, double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < 5; k++) {
                if (i + j + k == 14) return i * 1000 + j * 10 + k;
                A[i][j] += k;
            }
    return -1;
}
// 2 scops, 2 deep, exact
int counters_in_loops_behind(int n, int m, double A[n][m]) {
    int i, j = 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) {
            if (j == 2 * i + 3) goto out;
            A[i][j] += 2;
        }
out:
    for (int k = 0; k < j; k++) A[0][k] += k;
    return i;
}
