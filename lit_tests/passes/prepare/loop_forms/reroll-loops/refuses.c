// RUN: polyopt-cc -O3 --emit=prepared -o - %s | filecheck %s

// Loops whose statements differ, stand in another order, leave out elements, reach into the next
// iteration, or may stop in between, are left alone; so are sums into another element each time.

// CHECK-NOT: poly.written_anew

void other_number(int *a, int n)
{
    for (int i = 0; i < n - 1; i += 2) { a[i] += 3; a[i + 1] += 4; }
}
void other_order(int *a, int n)
{
    for (int i = 0; i < n - 1; i += 2) { a[i + 1] += a[i]; a[i] += a[i + 1]; }
}
void with_hole(int *a, int n)
{
    for (int i = 0; i < n - 2; i += 3) { a[i] += 3; a[i + 1] += 3; }
}
void too_far(int *a, int n)
{
    for (int i = 0; i < n - 3; i += 2) { a[i] += a[i + 1]; a[i + 2] += a[i + 3]; }
}
void with_branch(int *a, int n)
{
    for (int i = 0; i < n - 1; i += 2) { if (a[i] == 7) break; a[i] += 3; a[i + 1] += 3; }
}
void may_wrap(int *a, unsigned n)
{
    for (unsigned i = 0; i < n; i += 2) { a[i] += 3; a[i + 1] += 3; }
}
void at_least_one(int *a, int n, int m)
{
    for (int i = n; i <= m; i += 3) { a[i] += 3; a[i + 1] += 3; a[i + 2] += 3; }
}
void at_least_two(int *a, int n, int m)
{
    for (int i = n; i <= m; i += 2) { a[i] += 3; a[i + 1] += 3; }
}
void with_a_state(int *a, int n, int s)
{
    for (int i = 0; i < n - 1; i += 2) { int t = a[i] + s; a[i] = s; a[i + 1] = t; s = t; }
}
double added_apart(const double *a, int n)
{
    double s = 0;
    for (int i = 0; i < n; i += 2) s += a[i] + a[i + 1];
    return s;
}
int length[100];
void moving_bound(void)
{
    for (int i = 0; i < length[0]; i += 2) { length[i] += 3; length[i + 1] += 3; }
}
void each_second(int *restrict a, const int *restrict b, int n)
{
    for (int i = 0; i < n; i += 2) a[i] += b[i] + b[i + 1];
}
int counts[8], seen[100];
void looked_up(int n)
{
    for (int i = 0; i < n; i += 2) counts[seen[i] & 7] += seen[i] + seen[i + 1];
}
