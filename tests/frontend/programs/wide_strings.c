/* Strings and characters of wide elements, and of UTF-8, by their bytes. */
#include <stddef.h>
#include <stdio.h>

static void dump(const void *p, int n) {
    for (int i = 0; i < n; i++) printf("%02x", ((const unsigned char *)p)[i]);
    puts("");
}

wchar_t global[] = L"wide \u00e9\U0001F600\x12345";
unsigned short sixteen[] = u"a\u20ac\U0001F600";
unsigned thirty_two[4] = U"\U0001F600b";
char eight[] = u8"\u00e9\u20ac";
const wchar_t *pointers[] = {L"one", L"two"};

int main(void) {
    dump(global, sizeof global), dump(sixteen, sizeof sixteen);
    dump(thirty_two, sizeof thirty_two), dump(eight, sizeof eight);
    wchar_t local[6] = L"abc" "de";
    dump(local, sizeof local), dump(L"x" "\u00e9", sizeof(L"x" "\u00e9"));
    printf("%d %d %d %d\n", L'\u20ac', u'\xffff', (int)sizeof(U'x'), '\xff');
    printf("%d %zu\n", pointers[1][0], sizeof(L""));
#if L'a' == 97 && L'\0' == 0
    puts("in conditions");
#endif
#define u8 no macro
#define u no macro
#define L no macro
    dump(u8"\u00e9", sizeof u8"\u00e9"), dump(u"a", sizeof u"a");
    printf("%d %d\n", L'x', u'y');
    return 0;
}
