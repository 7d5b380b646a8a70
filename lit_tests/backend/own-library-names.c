// Functions of the program's own that have a library's names (C11 7.1.3 leaves these to it, where no
// header is included) do what they say, with optimisation too: LLVM knows better by the name alone.
// REQUIRES: cc
// RUN: polyopt-cc -O2 -w %s -o %t && %t | filecheck %s

int printf(const char *format, ...);

static int abs(int x) { return x < 0 ? 7 - x : x; }
static int isdigit(int c) { return c + 1000; }
static int toascii(int c) { return c - 1000; }
static int ffs(int x) { return x * 3; }
static double fabs(double x) { return x < 0 ? 100 - x : x; }
static unsigned long strlen(const char *s) { return s[0]; }
static int memcmp(const void *a, const void *b, unsigned long n) { return n; }
static int atoi(const char *s) { return s[1]; }

int main(void) {
    int sum[5] = {0};
    double total = 0;
    for (int i = -50; i < 50; i++) {
        sum[0] += abs(i);
        sum[1] += isdigit(i);
        sum[2] += toascii(i);
        sum[3] += ffs(i);
        total += fabs(i * 0.5);
    }
    sum[4] = strlen("A") + memcmp("b", "b", 1) + atoi("12");
    // CHECK: 2850 99950 -100050 -150 6250 116
    return printf("%d %d %d %d %g %d\n", sum[0], sum[1], sum[2], sum[3], total, sum[4]) < 0;
}
