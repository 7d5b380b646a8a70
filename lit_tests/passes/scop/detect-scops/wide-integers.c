// RUN: polyopt-cc -O2 --emit=poly --remarks -o /dev/null %s 2>&1 | filecheck %s

// Integers of 128 bits are data like any other; nothing is counted by what no index holds.

void data(__int128 *restrict a, const __int128 *restrict b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] * 3;
}

void cut(int *restrict a, __int128 n, int m)
{
    long k = (long)n;
    for (int i = 0; i < m; i++)
        a[i + k] = 1;
}

void counted(int *a, __int128 first, __int128 last)
{
    for (__int128 i = first; i < last; i++)
        a[(int)(i - first)] = 1;
}

void bounded(int *a, __int128 n)
{
    for (long i = 0; i < n; i++)
        a[i] = 1;
}

// CHECK: wide-integers.c:7:21: analysis: static control part
// CHECK: wide-integers.c:14:21: analysis: static control part
// CHECK-NOT: static control part
// CHECK: wide-integers.c:20:30: missed: the loop's condition depends on data
// CHECK-NOT: static control part
// CHECK: wide-integers.c:26:22: missed: the loop's condition depends on data
// CHECK-NOT: static control part
