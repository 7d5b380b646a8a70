// What is multiplied up to the end of its type wraps on its way: the loop ends all the same.
int printf(const char *, ...);

__attribute__((noinline)) static unsigned by_seven(void) {
    unsigned sum = 0;
    for (unsigned i = 5; i < 0xffffff00u; i *= 7) sum += i;
    return sum;
}

__attribute__((noinline)) static unsigned by_seven_to_the_middle(void) {
    unsigned sum = 0;
    for (unsigned i = 5; i < 3000000000u; i *= 7) sum += i;
    return sum;
}

int main(void) {
    printf("%u %u\n", by_seven(), by_seven_to_the_middle());
    return 0;
}
