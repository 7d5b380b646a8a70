/* Sizes in the types of casts and of sizeof: which are evaluated, and how often (C 6.5.3.4, 6.7.6.2). */
#include <stdio.h>

static int calls;
static int values[60];

static int count(int n)
{
    calls++;
    return n;
}

static int computed_goto(int n)
{
    typedef int row[n];
    void *next = &&first;
    int rounds = 0;
again:
    {
        static row *kept;
        kept = (row *)values;
        rounds += (*kept)[n - 1];
        goto *next;
    }
first:
    next = &&second;
    goto again;
second:
    return rounds;
}

int main(void)
{
    void *p = values;
    int (*six)[6] = p;
    int k = 0;
    for (int i = 0; i < 60; i++)
        values[i] = i;
    (void)(int(*)[count(7)])p;
    printf("%d\n", calls);
    (int(*)[count(7)])p;
    printf("%d\n", calls);
    printf("%d ", ((int(*)[count(7)])p)[2][3]);
    printf("%d\n", calls);
    printf("%zu ", sizeof(int[count(3)]));
    printf("%d\n", calls);
    printf("%zu ", sizeof(*(int(*)[count(3)])p));
    printf("%d\n", calls);
    printf("%d ", calls ? ((int(*)[count(5)])p)[1][1] : 0);
    printf("%d\n", calls);
    printf("%d ", (calls ? (int(*)[count(5)])p : (int(*)[count(5)])p)[1][1]);
    printf("%d\n", calls);
    printf("%d ", (0, (int(*)[count(5)])p)[1][1]);
    printf("%d\n", calls);
    printf("%zu ", sizeof(int[k++][count(2)]));
    printf("%d %d\n", calls, k);
    printf("%d ", ((int(*)[count(2)][count(3)])p)[1][1][1]);
    printf("%d\n", calls);
    six = (int(*)[count(6)])p;
    printf("%d %d\n", six[1][1], calls);
    for (int i = 0; i < 3; i++)
        k += ((int(*)[count(i + 1)])p)[1][i];
    printf("%d %d\n", k, calls);
    if (((int(*)[count(4)])p)[0][1] && ((int(*)[count(4)])p)[1][1] && (int(*)[count(1)])p)
        printf("%d\n", calls);
    if (((int(*)[count(4)])p)[0][0] && ((int(*)[count(4)])p)[1][1])
        printf("no\n");
    printf("%d\n", calls);
    printf("%d\n", (k ? (0, (int(*)[count(6)])p) : six)[2][1]);
    printf("%d\n", (k ? six : ({ (int(*)[count(6)])p; }))[2][1]);
    printf("%d\n", computed_goto(5));
    return 0;
}
