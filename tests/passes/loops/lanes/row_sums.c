/* Rows of a recurrence that all add to, count in, or keep the greatest in the same variables. */
#include <stdio.h>

#define ROWS 70

static unsigned begin[ROWS];

static unsigned next(unsigned x)
{
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
}

int counted(int n, int m)
{
    int c = 3;
    for (int i = 0; i < n; i++) {
        unsigned x = begin[i];
        for (int j = 0; j < m; j++) {
            x = next(x);
            if (x & 4)
                c++;
        }
    }
    return c;
}

/* Sums that wrap in some orders and not in this one: what a row adds the next one takes back. */
int paired(int n, int m)
{
    int c = 0;
    for (int i = 0; i < n; i++) {
        int x = (int)(begin[i] & 0xffff) - 0x8000;
        for (int j = 0; j < m; j++) {
            x = ((x * 5) ^ 0x55) & 0x1ffffff;
            c += i % 2 ? -x : x;
        }
    }
    return c;
}

unsigned several(int n, int m, unsigned *least)
{
    unsigned sum = 1, bits = 0, low = ~0u, left = 7;
    for (int i = 0; i < n; i++) {
        unsigned x = begin[i];
        for (int j = 0; j < m; j++) {
            x = next(x) + i;
            sum += x;
            bits ^= x >> 3;
            left -= x & 15;
            low = x < low ? x : low;
        }
    }
    *least = low;
    return sum ^ (bits << 1) ^ (left << 2);
}

double averaged(int n, int m)
{
    double s = 0.25;
    for (int i = 0; i < n; i++) {
        double x = (begin[i] & 255) / 256.0;
        for (int j = 0; j < m; j++) {
            x = 3.5 * x * (1 - x);
            s += x;
        }
    }
    return s;
}

int main(void)
{
    for (int i = 0; i < ROWS; i++)
        begin[i] = i * 7919u + 1;
    for (int n = 0; n <= ROWS; n += 1 + n / 8)
        for (int m = 0; m < 40; m += 1 + m / 4) {
            unsigned least, all = several(n, m, &least);
            printf("%d %d %d %d %u %u %.9f\n", n, m, counted(n, m), paired(n, m), all, least,
                   averaged(n, m));
        }
    return 0;
}
