/* Character and string literals, escapes, and the C library's string functions. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void reverse(char *s) {
    for (char *a = s, *b = s + strlen(s) - 1; a < b; a++, b--) {
        char t = *a;
        *a = *b;
        *b = t;
    }
}

static unsigned hash(const char *s) {
    unsigned h = 5381;
    for (; *s; s++) h = h * 33 ^ (unsigned char)*s;
    return h;
}

int main(void) {
    printf("tab\there \"quoted\" \\ \101\x42\103 percent %% bell%d nul%d\n", '\a', '\0');
    printf("%zu %zu %zu\n", sizeof "abc", sizeof "a\0b", sizeof "");
    printf("%s\n", "joined " "from "
                   "three");
    printf("%d %d %d\n", "\1" "23"[0], ("\1" "23")[1], '\'');
    printf("%d %d %s\n", '\%', '\ ', "a\/b\(c\q");
    const char *bytes = "\xff\x80\7f";
    printf("%d %d %d %c\n", bytes[0], bytes[1], bytes[2], bytes[3]);
    char buffer[64];
    strcpy(buffer, "hello");
    strcat(buffer, ", world");
    reverse(buffer);
    printf("%s %zu\n", buffer, strlen(buffer));
    for (char *p = buffer; *p; p++) *p = toupper(*p);
    printf("%s %d %d\n", buffer, strcmp("abc", "abd") < 0, strncmp("abcx", "abcy", 3));
    printf("%s %td\n", strchr(buffer, ','), strchr(buffer, 'L') - buffer);
    memset(buffer, 'z', 5);
    memmove(buffer + 2, buffer, 6);
    printf("%.10s\n", buffer);
    printf("%u %u\n", hash("first"), hash("\xe9t\xe9"));
    char made[32];
    int n = snprintf(made, sizeof made, "%05d|%-6s|%+.3e|%x", 42, "ab", 12345.678, 48879);
    printf("%d %s\n", n, made);
    int count[26] = {0};
    for (const char *p = "the quick brown fox jumps over the lazy dog"; *p; ++p)
        if (isalpha((unsigned char)*p)) count[*p - 'a']++;
    for (int i = 0; i < 26; i++) putchar('0' + count[i]);
    puts("");
    printf("%c%c%c\n", "xyz"[1], *"pqr", 1 ["uvw"]);
    char *token = strtok(strcpy(made, "a,b;c"), ",;");
    while (token) {
        printf("[%s]", token);
        token = strtok(NULL, ",;");
    }
    printf("\n%s\n", __func__);
    return 0;
}
