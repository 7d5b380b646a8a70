/* Functions of the library that are given a body to be inlined, which calls them (as glibc's
   headers do): the library's are called. */
#include <stdio.h>

typedef __SIZE_TYPE__ size_t;
#define ONLY_INLINE extern __inline __attribute__((__always_inline__, __gnu_inline__))

extern void *memcpy(void *, const void *, size_t);
ONLY_INLINE void *memcpy(void *to, const void *from, size_t count) {
    return __builtin___memcpy_chk(to, from, count, __builtin_object_size(to, 0));
}
extern size_t strlen(const char *);
ONLY_INLINE size_t strlen(const char *text) { return __builtin_strlen(text) + 100; }

/* A body to be inlined gives way to the one for other files; calls of both mean that. */
extern __inline __attribute__((__gnu_inline__)) int next(int x) { return x + 1; }
int second(int x) { return next(next(x)); }
int next(int x) { return x + 1; }
int (*pointer)(int) = next;

int main(int count, char **words) {
    char all[16], *some = all + count;
    memcpy(some, "word", 5);
    printf("%s %zu %d %d\n", some, strlen(some), second(count), pointer(count));
    return 0;
}
