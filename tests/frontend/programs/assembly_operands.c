/* Assembly with operands: registers, memory, numbers, flags, and what is in the place of an output. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t rotated(uint64_t x, uint8_t n) {
    __asm__("rolq %%cl, %0" : "+r"(x) : "c"(n) : "cc");
    return x;
}

static unsigned sum(unsigned a, unsigned b, unsigned char *carry) {
    unsigned r;
    __asm__("addl %k[b], %k[r]\n\tsetc %b[c]" : [r] "=&r"(r), [c] "=qm"(*carry) : "0"(a), [b] "rm"(b));
    return r;
}

static void product(uint64_t a, uint64_t b, uint64_t *low, uint64_t *high) {
    __asm__("mulq %3" : "=a"(*low), "=d"(*high) : "%0"(a), "rm"(b) : "cc");
}

static int one_more(int *p) {
    __asm__ volatile("lock; incl %0" : "+m"(*p) : : "memory");
    return *p;
}

static int shifted(int x) {
    __asm__("shll %1, %0" : "+r"(x) : "i"(3));
    return x;
}

static int is_zero(int x) {
    int flag;
    __asm__("testl %1, %1" : "=@ccz"(flag) : "r"(x));
    return flag;
}

static double root(double x) {
    double r;
    __asm__("sqrtsd %1, %0" : "=x"(r) : "x"(x));
    return r;
}

static void copied(void *to, const void *from, unsigned long n) {
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

static short exchanged(short v) {
    __asm__("xchgb %b0, %h0" : "+Q"(v));
    return v;
}

static int counted(int n) {
    int s = 0;
    __asm__("1: addl %1, %0\n\tdecl %1\n\tjnz 1b" : "+&r"(s), "+r"(n) : : "cc");
    return s;
}

static int once(int n) {
    __asm__(".Lonce%=: decl %0; jns .Lonce%=" : "+r"(n));
    return n;
}

static long written(const char *text, long length) {
    register long place __asm__("r10") = (long)text;
    long r;
    __asm__("movq %1, %0; subq %%r10, %0" : "=&r"(r) : "r"(place), "r"(length));
    return r;
}

struct rows {
    int first, second;
    char rest[24];
};

static int first_of(const struct rows *p) {
    int r;
    __asm__("movl %1, %0" : "=r"(r) : "m"(*p));
    return r;
}

int main(void) {
    uint64_t low, high;
    unsigned char carry;
    char to[16] = "";
    struct rows rows = {17, 18, ""};
    int counters[50], total = 0;
    printf("%lx\n", rotated(0x8000000000000001, 4));
    unsigned r = sum(4000000000u, 500000000u, &carry);
    printf("%u %d\n", r, carry);
    product(0xffffffffffffffff, 10, &low, &high);
    printf("%lx %lx\n", low, high);
    for (int i = 0; i < 50; i++) counters[i] = i;
    for (int i = 0; i < 50; i++) {
        one_more(&counters[i]);
        total += counters[i];
    }
    for (int i = 0; i < 50; i++) {
        counters[i] = total;
        __asm__("negl %0" : "+r"(counters[i]));
    }
    printf("%d %d\n", total, counters[49]);
    printf("%d %d %d %g\n", shifted(5), is_zero(0), is_zero(total), root(2.25));
    copied(to, "from there", 11);
    printf("%s %hx %d %d\n", to, exchanged(0x1234), counted(10), once(7));
    printf("%ld %d\n", written("text", 4), first_of(&rows));
    __asm__("movl $3, %%eax; movl $4, %%edx; pxor %%xmm0, %%xmm0; addl $1, %0" : "+r"(total) : : "0", "1", "20", "cc");
    printf("%d\n", total);
    return 0;
}
