/* Code that asks for GNU C takes that way, and so do the system's headers. */
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <wchar.h>

#if defined(__GNUC__) && (__GNUC__ > 3 || __GNUC__ == 3 && __GNUC_MINOR__ >= 1)
#define INLINE static __inline__ __attribute__((always_inline, unused))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define MAX(a, b) ({ __typeof__(a) _a = (a), _b = (b); _a > _b ? _a : _b; })
#define PACKED __attribute__((__packed__))
#define BITS(x) __builtin_popcount(x)
#define WAY "GNU C"
#else
#define INLINE static
#define LIKELY(x) (x)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define PACKED
#define BITS(x) 0
#define WAY "C"
#endif

struct PACKED header { char kind; long length; };
typedef unsigned __int128 wide;

INLINE int twice(int x) { return LIKELY(x > 0) ? 2 * x : 0; }

static void *work(void *given) { return (char *)given + twice(3); }

int main(void) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(70, &set);
    printf("%s %zu %d %d\n", WAY, sizeof(struct header), MAX(twice(4), 7), BITS(0xff0f));
    printf("%d %d %d\n", FD_ISSET(70, &set) != 0, FD_ISSET(6, &set) != 0, atoi("12") + toupper('a'));
    wide product = (wide)0xffffffffffffffffu * 0xfedcba9876543210u;
    printf("%lx %lx\n", (unsigned long)(product >> 64), (unsigned long)product);
    pthread_t thread;
    void *result = NULL;
    char text[16] = "abcdefghij";
    if (pthread_create(&thread, NULL, work, text) != 0) return 1;
    if (pthread_join(thread, &result) != 0) return 2;
    struct stat state;
    if (stat("/", &state) != 0) return 4;
    printf("%s %d\n", (char *)result, S_ISDIR(state.st_mode) != 0);
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 3;
    ssize_t sent = send(pair[0], "word", 5, 0), got = recv(pair[1], text, sizeof text, 0);
    printf("%zd %zd %s %zu\n", sent, got, text, wcslen(L"wide"));
    return 0;
}
