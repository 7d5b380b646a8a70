// What would free no loop, take too much memory or lose a value stays where it is.
// RUN: polyopt-cc -O2 --emit=poly -o - %s | polyopt-opt -p 'poly-expand{limit=1024}' | filecheck %s
// CHECK-NOT: memref.alloc(

double A[1024], B[1024], C[1024][1024];

// Each value is made of the one before: the loop is serial, whatever becomes of x.
void recurrence(void)
{
    for (int i = 1; i < 1024; i++) {
        double x = A[i - 1] + 1.0;
        for (int j = 0; j < 4; j++)
            x *= 0.5;
        A[i] = x;
    }
}

// The value goes from one iteration to the next.
double sum(void)
{
    double s = 0.0;
    for (int i = 0; i < 1024; i++)
        s += A[i];
    return s;
}

// 8 bytes for each of 1024 rows are more than 1024 bytes.
void large(void)
{
    for (int i = 0; i < 1024; i++) {
        double s = 0.0;
        for (int j = 0; j < 1024; j++)
            s += C[i][j];
        B[i] = s;
    }
}
