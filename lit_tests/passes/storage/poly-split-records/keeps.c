// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffp-contract=off --remarks -c -o %t.o %s 2>&1 | filecheck %s

// Records stay as they are where they are used a few times only, where most members are used, where a loop over them goes outside, so
// that each is loaded once, where data decide which is meant, and where members have no constant places.

// CHECK-NOT: [poly-split-records]
struct node { double height, speed, other[6]; };

void few_sweeps(int n, struct node *restrict a)
{
    for (int t = 0; t < 10; t++)
        for (int i = 1; i < n; i++)
            a[i].height += 0.5 * a[i - 1].height;
}

struct point { double x, y, z; };

void most_members(int n, int steps, struct point *restrict a)
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n; i++) {
            a[i].x += 0.5 * a[i - 1].x;
            a[i].y += 0.5 * a[i - 1].y;
        }
}

void each_for_itself(int n, int steps, struct node *restrict a, const double *restrict k)
{
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++)
            a[i].height = a[i].height * k[t] + a[i].speed;
}

void by_data(int n, int steps, struct node *restrict a, const int *restrict at)
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n; i++)
            a[i].height += 0.5 * a[at[i]].height;
}

void any_member(int n, int steps, double *restrict a)
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n; i++)
            a[8 * i + t % 8] += 0.5 * a[8 * i - 8];
}
