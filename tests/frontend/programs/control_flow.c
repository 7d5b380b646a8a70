/* Every statement of control: loops, switches with fallthrough, goto in and out of blocks. */
#include <stdio.h>

static int classify(int n) {
    switch (n) {
    case 0:
        return 10;
    case 1:
    case 2:
        n += 100;
        /* falls through */
    case 3:
        n += 1000;
        break;
    case -1: {
        int inner = n * 2;
        n = inner;
        break;
    }
    default:
        n = -999;
    case 100:
        n--;
    }
    return n;
}

static void copy(char *to, const char *from, int count) {
    int rounds = (count + 3) / 4;
    switch (count % 4) {
    case 0:
        do {
            *to++ = *from++;
        case 3:
            *to++ = *from++;
        case 2:
            *to++ = *from++;
        case 1:
            *to++ = *from++;
        } while (--rounds > 0);
    }
}

static int nested(int a, int b) {
    switch (a) {
    case 1:
        switch (b) {
        case 1:
            return 11;
        default:
            break;
        case 2:
            return 12;
        }
        return 10;
    case 2:
        for (int i = 0;; i++) {
            if (i == b) break;
            if (i > 3) return 29;
            continue;
        }
        return 20;
    }
    return 0;
}

static int find(int m[3][3], int wanted) {
    int i, j;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            if (m[i][j] == wanted) goto found;
    return -1;
found:
    return i * 10 + j;
}

static int state_machine(const char *text) {
    int count = 0;
start:
    switch (*text) {
    case 0: goto end;
    case ' ': text++; goto start;
    default: count++;
    }
word:
    if (*text == 0) goto end;
    if (*text == ' ') goto start;
    text++;
    goto word;
end:
    return count;
}

static int early(int n) {
    while (1) {
        if (n > 100) return n;
        n *= 2;
    }
    return -1;
}

static int into_block(int n) {
    int sum = 0;
    if (n > 5) goto inside;
    for (int i = 0; i < 3; i++) {
        sum += 1;
    inside:
        sum += 10;
        if (n > 5) break;
    }
    if (0) {
    skipped:
        return sum + 1000;
    }
    if (sum < 50) goto skipped;
    return sum;
}

static long sum_switch(unsigned long key) {
    switch (key) {
    case 0xffffffffffffffffUL: return 1;
    case 0x8000000000000000UL: return 2;
    case 5: return 3;
    default: return 4;
    }
}

enum color { RED, GREEN = 5, BLUE };
static const char *name(enum color c) {
    switch (c) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
    }
    return "none";
}

typedef int word;
typedef unsigned length;
struct parts {
    word : 3;
    length shown : 4;
};
int main(void) {
    for (int i = -2; i < 6; i++) printf("%d ", classify(i));
    printf("%d\n", classify(100));
    for (int n = 1; n < 10; n++) {
        char out[16] = "................";
        copy(out, "abcdefghijk", n);
        printf("%.12s\n", out);
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 5; b++) printf("%d ", nested(a, b));
    int m[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    printf("\n%d %d %d\n", find(m, 6), find(m, 1), find(m, 77));
    printf("%d %d\n", state_machine("  a quick  brown fox "), state_machine(""));
    printf("%d %d %d\n", early(3), into_block(9), into_block(1));
    printf("%ld %ld %ld %ld\n", sum_switch(-1), sum_switch(1UL << 63), sum_switch(5), sum_switch(6));
    printf("%s %s %s %s\n", name(RED), name(GREEN), name(BLUE), name((enum color)9));

    int i = 0, total = 0;
    do {
        if (i == 3) continue;
        if (i == 8) break;
        total += i;
    } while (++i < 20);
    printf("%d %d\n", i, total);
    for (i = 10, total = 0; i; i--, total += i)
        ;
    printf("%d %d\n", i, total);
    while (i < 5 && total > 0) i++, total -= 7;
    printf("%d %d\n", i, total);
    for (;;) {
        if (++i > 20) break;
        if (i % 2) continue;
        total += i;
    }
    printf("%d %d\n", i, total);
    switch (3) {
        int unreached;
        unreached = 5;
    case 3:
        unreached = 4;
        printf("%d\n", unreached);
    }
    switch (i) default: printf("only default\n");
    int steps = 0; // labels have a name space of their own
word:
    if (steps++ < 2) goto word;
    if (steps == 3) length: steps += 4;
    if (steps < 9) goto length;
    printf("%d\n", steps);
    return 0;
}
