/* by_hex: bytes written as hexadecimal digits, two for each. */

#include "../kernels/bench.h"

#define N BY_SIZE(100, 4000, 400000, 4000000, 40000000)

static void init(int n, unsigned char *bytes)
{
    unsigned seed = 7;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        bytes[i] = (unsigned char)(seed >> 24);
    }
}

void kernel_by_hex(size_t n, const unsigned char *bytes, char *text)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < n; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    unsigned char *bytes = bench_alloc(n, 1);
    char *text = bench_alloc(2 * (size_t)n, 1);
    init(n, bytes);

    bench_start();
    kernel_by_hex(n, bytes, text);
    bench_stop();

    bench_bytes("text", text, 2L * n);
    free(bytes);
    free(text);
    return 0;
}
