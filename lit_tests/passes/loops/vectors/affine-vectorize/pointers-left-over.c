// Pointers that are left over of a row are loaded and stored under a mask: 5 columns in vectors of 4.
// RUN: polyopt-cc -O3 -march=x86-64-v3 --skip-pass=keep-what-pays --run %s | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v3 --skip-pass=keep-what-pays --emit=loops -o - %s | filecheck %s --check-prefix LOOPS
// CHECK: 25 of 30

#include <stdio.h>

static int *table[5][6], first, second;

// LOOPS-LABEL: func.func @fill
// LOOPS:         vector.maskedload {{.*}}vector<4x!llvm.ptr>
// LOOPS:         vector.maskedstore {{.*}}vector<4x!llvm.ptr>
void fill(int *p)
{
    for (int i = 0; i < 5; i++)
        for (int k = 1; k < 10; k++)
            for (int j = 0; j < 5; j++)
                table[i][j] = p;
}

int main(void)
{
    fill(&first);
    fill(&second);
    int count = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 6; j++)
            count += table[i][j] == &second;
    printf("%d of 30\n", count);
    return 0;
}
