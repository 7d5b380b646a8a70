/* Loops of tasks, tasks that follow others, sums of tasks, and loops in any order. */
#include <stdio.h>

#define N 100

static void loops_of_tasks(void)
{
    int a[N], sum = 0, m[6][7], i;
    double last = -1;
    unsigned char narrow = 9;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(7)
        for (i = 0; i < N; i++)
            a[i] = i * i;
#pragma omp taskloop reduction(+ : sum) num_tasks(5) lastprivate(last)
        for (int j = N - 1; j >= 3; j -= 2) {
            if (j == 51)
                continue;
            sum += a[j];
            last = j;
        }
#pragma omp taskloop lastprivate(narrow) if (0)
        for (narrow = 3; narrow < 250; narrow += 4)
            a[0] += narrow;
#pragma omp taskloop
        for (int j = 5; j < 5; j++)
            a[j] = -1;
    }
    printf("%d %g %d %d %d\n", sum, last, a[N - 1], a[0], narrow);
#pragma omp parallel master taskloop collapse(2)
    for (int u = 0; u < 6; u++)
        for (int v = 0; v < 7; v++)
            m[u][v] = u * 10 + v;
    int t = 0;
#pragma omp parallel masked taskloop simd collapse(2) reduction(+ : t)
    for (int u = 5; u >= 0; u--)
        for (int v = 0; v < 7; v += 2)
            t += m[u][v] * (u + 1);
    printf("%d\n", t);
}

static void follow(void)
{
    int x = 0, y = 0, a[4] = { 1, 2, 3, 4 }, *p = a;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x) shared(x)
        x = 5;
#pragma omp task depend(in : x) depend(inout : y) shared(x, y)
        y = x * 2;
#pragma omp task depend(in : y) shared(y)
        printf("y is %d\n", y);
#pragma omp taskwait
        for (int round = 0; round < 20; round++)
            for (int i = 1; i < 4; i++) {
#pragma omp task depend(in : a[i - 1]) depend(inout : p[i : 1]) priority(2) affinity(a)
                a[i] = (a[i] + a[i - 1]) % 1000;
            }
    }
    printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
}

static void add(int *x, int k)
{
#pragma omp task in_reduction(+ : x[0 : 2]) firstprivate(k)
    {
        x[0] += k;
        x[1]++;
    }
}

static void sums(void)
{
    int r = 0, q = 0, pair[2] = { 7, 8 };
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : r)
        for (int k = 0; k < 20; k++) {
#pragma omp task in_reduction(+ : r) firstprivate(k)
            {
                r += k;
#pragma omp task in_reduction(+ : r)
                r += 100;
            }
        }
#pragma omp taskgroup task_reduction(+ : pair)
        for (int k = 0; k < 10; k++)
            add(pair, k);
    }
#pragma omp parallel reduction(task, + : q)
    {
        q += 1;
#pragma omp task in_reduction(+ : q)
        q += 10;
    }
    printf("%d %d %d %d\n", r, q % 11, pair[0], pair[1]);
}

static void any_order(void)
{
    double b[N], sum = 0;
    int last = 0;
#pragma omp parallel loop order(concurrent)
    for (int u = 0; u < N; u++)
        b[u] = u * .5;
#pragma omp parallel proc_bind(close)
    {
#pragma omp loop reduction(+ : sum) lastprivate(last)
        for (last = 0; last < N; last++)
            sum += b[last];
#pragma omp single
        {
#pragma omp loop bind(thread)
            for (int u = 0; u < N; u++)
                b[u] = sum;
        }
    }
    printf("%g %d %g\n", sum, last, b[N - 1]);
}

int main(void)
{
    loops_of_tasks();
    follow();
    sums();
    any_order();
    return 0;
}
