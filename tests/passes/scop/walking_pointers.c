/* Loops that walk with pointers, whose last places are used behind them, and sums and choices under
   conditions in several parts. Each function is run for all short sizes, with its arrays apart and
   over each other; what it leaves is told. */

#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef unsigned char byte;

#define ROOM 512
static byte memory[ROOM];
static const char letters[] = "0123456789ABCDEF";

static size_t written(const byte *from, size_t n, byte *to)
{
    byte *start = to;
    while (n--) {
        *to++ = (byte)letters[*from >> 4];
        *to++ = (byte)letters[*from++ & 15];
    }
    *to = '.';
    return (size_t)(to - start);
}

static size_t spread(const byte *from, size_t n, byte *to)
{
    const byte *end = from + n;
    byte *start = to;
    for (; from != end; from++, to += 3) {
        to[0] = *from;
        to[1] = (byte)(*from ^ 0x55);
        to[2] = (byte)(*from + 7);
    }
    *to = '!';
    return (size_t)(to - start);
}

static size_t backwards(const byte *from, size_t n, byte *to)
{
    const byte *p = from + n;
    byte *q = to;
    for (unsigned left = (unsigned)n; left != 0; left--)
        *q++ = (byte)(*--p * 3);
    *q = *p;
    return (size_t)(q - to);
}

static size_t two_loops(const byte *from, size_t n, byte *to)
{
    byte *q = to;
    size_t left = n / 2;
    while (left--)
        *q++ = (byte)(*from++ | 1);
    left = n - n / 2;
    while (left-- > 0)
        *q++ = (byte)(*from++ & 0xfe);
    *q = 1;
    return (size_t)(q - to);
}

static int digit(int c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static size_t read_back(const byte *from, size_t n, byte *to)
{
    size_t wrong = 0;
    for (size_t i = 0; i < n / 2; i++) {
        int high = digit(from[2 * i]), low = digit(from[2 * i + 1]);
        if (high < 0 || low < 0) {
            wrong++;
            to[i] = 0;
        } else
            to[i] = (byte)(high * 16 + low);
    }
    return wrong;
}

static size_t counted(const byte *from, size_t n, byte *to)
{
    unsigned small = 0, between = 0, bits = ~0u;
    for (size_t i = 0; i < n; i++) {
        byte c = from[i];
        if (c < 64)
            small++;
        if (c >= 'A' && c <= 'Z')
            between += c;
        else
            between -= 1;
        if ((c & 3) == 3 && c > 9)
            bits &= ~(unsigned)c;
        to[i] = (byte)(c + 1);
    }
    return small * 1000003u + between * 31u + bits;
}

static size_t swapped(const byte *from, size_t n, byte *to)
{
    size_t changed = 0;
    for (size_t i = 0; i < n; i++) {
        byte c = from[i];
        if (c >= 'a' && c <= 'z') {
            to[i] = (byte)(c - 32);
            changed++;
        } else if (c >= 'A' && c <= 'Z') {
            to[i] = (byte)(c + 32);
            changed++;
        } else
            to[i] = c;
    }
    return changed;
}

static size_t quotient(const byte *from, size_t n, byte *to)
{
    size_t many = 0;
    for (size_t i = 0; i < n; i++) {
        if (from[i] != 0 && 200 / from[i] > 2)
            many++;
        to[i] = (byte)(from[i] > 100 || (from[i] > 50 && from[i] % 2 == 0));
    }
    return many;
}

typedef size_t changing(const byte *, size_t, byte *);

static changing *const all[] = {
    written, spread, backwards, two_loops, read_back, counted, swapped, quotient,
};

static void fill(void)
{
    unsigned seed = 5;
    for (int i = 0; i < ROOM; i++) {
        seed = seed * 1664525u + 1013904223u;
        unsigned r = seed >> 24;
        memory[i] = (byte)(r % 3 == 0 ? r : r % 3 == 1 ? '0' + r % 10 : "aFxZq"[r % 5]);
    }
}

int main(void)
{
    static const int starts[] = { 256, 3, 2, 1, 0 };
    for (size_t which = 0; which < sizeof all / sizeof *all; which++)
        for (size_t at = 0; at < sizeof starts / sizeof *starts; at++)
            for (size_t n = 0; n <= 70; n++) {
                fill();
                size_t result = all[which](memory + 1, n, memory + 1 + starts[at]);
                unsigned long long sum = 0;
                for (int i = 0; i < ROOM; i++)
                    sum = sum * 31 + memory[i];
                printf("%zu %d %zu %zu %llu\n", which, starts[at], n, result, sum);
            }
    return 0;
}
