/* __VA_OPT__ (C23 6.10.5.2): there where variable arguments have tokens, when they are expanded. */
#include <stdio.h>

#define TEXT(...) TEXT_OF(__VA_ARGS__)
#define TEXT_OF(...) #__VA_ARGS__
#define EMPTY
#define F(x, ...) f(x __VA_OPT__(,) __VA_ARGS__)
#define DEFINED(name, ...) S name __VA_OPT__(= { __VA_ARGS__ })
#define PASTED(x, y, ...) __VA_OPT__(x##y,) __VA_ARGS__
#define SHOWN(x, ...) #x __VA_OPT__(#x #__VA_ARGS__)
#define BESIDE(x, ...) x##__VA_OPT__(a x b)##c
#define TWICE(a, ...) a __VA_OPT__((a)) __VA_OPT__ (b) z
#define NESTED(...) __VA_OPT__(F(g(0), __VA_ARGS__))
#define LOG(format, ...) printf("%s: " format "\n", __func__ __VA_OPT__(,) __VA_ARGS__)

int main(void) {
    puts(TEXT(F(a, b, c) F() F(EMPTY) F(a) F(a, ) F(a, EMPTY)));
    puts(TEXT(DEFINED(one); DEFINED(two, 1, 2)));
    puts(TEXT(PASTED(a, b, c, d) PASTED(a, b)));
    puts(TEXT(SHOWN(x, 0, 1) SHOWN(x)));
    puts(TEXT(BESIDE(q, 1) BESIDE(q)));
    puts(TEXT(TWICE(1) TWICE(1, 2)));
    puts(TEXT(NESTED() NESTED(3) NESTED(F(4, 5), 6)));
    LOG("none");
    LOG("%d and %s", 3, "four");
    return 0;
}
