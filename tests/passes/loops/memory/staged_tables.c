/* Bytes that are looked up behind a pointer, the memory around which cannot be read: each function
   runs for many sizes, with tables that begin or end at a page's border, in place, and with tables
   that it writes itself. What it leaves is told. */

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef unsigned char byte;

static void plain(byte *d, const byte *s, const byte *t, int n)
{
    for (int i = 0; i < n; i++)
        d[i] = t[s[i]];
}

static void in_front(byte *d, const byte *s, const byte *t, int n)
{
    for (int i = 0; i < n; i++)
        d[i] = t[s[i] - 10];
}

static void masked(byte *d, const byte *s, const byte *t, int n)
{
    for (int i = 0; i < n; i++)
        d[i] = t[s[i] & 63] ^ t[(s[i] & 31) + 37];
}

static void inverse(byte *d, const byte *s, const byte *t, int n)
{
    for (int i = 0; i < n; i++)
        d[i] = t[(byte)~s[i]];
}

static void average(byte *d, const byte *s, const byte *t, int n)
{
    for (int i = 0; i + 1 < n; i++)
        d[i] = t[(s[i] + s[i + 1]) >> 1];
}

static void of_words(byte *d, const byte *s, const byte *t, int n)
{
    const unsigned short *w = (const unsigned short *)(const void *)s;
    for (int i = 0; i < n / 2; i++)
        d[i] = (byte)(t[w[i] >> 8] + t[w[i] & 255]);
}

static void sometimes(byte *d, const byte *s, const byte *t, int n)
{
    for (int i = 0; i < n; i++)
        if (s[i] > 100)
            d[i] = t[s[i]];
}

static void backwards(byte *d, const byte *s, const byte *t, int n)
{
    for (int i = n - 1; i >= 0; i--)
        d[i] = (byte)(t[s[i]] * 3 + s[i]);
}

static void with_a_sign(byte *d, const byte *s, const byte *t, int n)
{
    const signed char *q = (const signed char *)s;
    for (int i = 0; i < n; i++)
        d[i] = t[q[i] + 128];
}

static void added(byte *d, const byte *s, const byte *t, int n)
{
    unsigned sum = 0;
    for (int i = 0; i < n; i++)
        sum += t[s[i]];
    memcpy(d, &sum, sizeof sum);
}

static void rows(byte *d, const byte *s, const byte *t, int n)
{
    for (int y = 0; y < n / 37; y++)
        for (int x = 0; x < 37; x++)
            d[y * 37 + x] = t[s[y * 37 + x]];
}

static void itself(byte *d, const byte *s, const byte *t, int n)
{
    for (int i = 0; i < n; i++)
        d[i] = t[d[i]];
    (void)s;
}

static void limited(byte *d, const byte *s, const byte *t, int n)
{
    for (int i = 0; i < n; i++)
        d[i] = t[s[i] > 200 ? 200 : s[i]] ^ t[s[i] * 5 & 255];
}

static void quarters(byte *d, const byte *s, const byte *t, int n)
{
    const int *w = (const int *)(const void *)s;
    for (int i = 0; i < n / 4; i++)
        d[i] = (byte)(t[w[i] & 127] + t[(w[i] >> 20) & 255]);
}

#define FUNCTION(NAME, FROM) {#NAME, NAME, FROM}
static const struct {
    const char *name;
    void (*run)(byte *, const byte *, const byte *, int);
    int from; /* reads t[k - from] of bytes k alone, or any of 256 where it is negative */
} functions[] = {
    FUNCTION(plain, 0),     FUNCTION(in_front, 10),    FUNCTION(masked, -1),
    FUNCTION(inverse, -1),  FUNCTION(average, 0),      FUNCTION(of_words, 0),
    FUNCTION(sometimes, 0), FUNCTION(backwards, 0),    FUNCTION(with_a_sign, -1),
    FUNCTION(added, 0),     FUNCTION(rows, 0),         FUNCTION(itself, -1),
    FUNCTION(limited, -1),  FUNCTION(quarters, -1),
};

#define PAGE 4096
static const int sizes[] = {0, 1, 2, 31, 63, 64, 65, 128, 191, 192, 193, 255, 256, 300, 777, 1000, 2049, 4000};
static unsigned seed = 1;

static int drawn(void)
{
    seed = seed * 1103515245 + 12345;
    return (int)(seed >> 16) & 0x7fff;
}

int main(void)
{
    byte *to = malloc(2 * PAGE), *from = malloc(2 * PAGE);
    byte *pages = mmap(0, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    byte *page = pages + PAGE;
    mprotect(pages, PAGE, PROT_NONE);
    mprotect(pages + 2 * PAGE, PAGE, PROT_NONE);
    for (unsigned f = 0; f < sizeof functions / sizeof *functions; f++) {
        unsigned long told = 0;
        for (unsigned k = 0; k < 8 * (sizeof sizes / sizeof *sizes); k++) {
            const int n = sizes[k / 8], is_at_the_end = k & 1, is_in_place = (k & 6) == 2;
            const int least = k & 2 ? 10 : 37, greatest = k & 4 ? 255 : 141, first = functions[f].from;
            for (int i = 0; i < PAGE; i++)
                page[i] = (byte)drawn();
            for (int i = 0; i < 2 * PAGE; i++) {
                from[i] = (byte)(least + drawn() % (greatest - least + 1));
                to[i] = (byte)(7 * i);
            }
            byte *table = is_at_the_end ? page + PAGE - 256 : page, *d = to + k % 5;
            if (first >= 0)
                table = is_at_the_end ? page + PAGE - 1 - (greatest - first) : page - (least - first);
            if (is_in_place)
                memcpy(d, from, PAGE);
            else if (first < 0 && k % 8 == 4)
                d = page + 128; /* writes the table */
            functions[f].run(d, is_in_place ? d : from, table, d == page + 128 && n > 3000 ? 3000 : n);
            for (int i = 0; i < PAGE; i++)
                told = told * 31 + to[i] + 7u * page[i];
        }
        printf("%s %lx\n", functions[f].name, told);
    }
    return 0;
}
