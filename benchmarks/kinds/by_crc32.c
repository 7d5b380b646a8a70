/* by_crc32: the check sum of a buffer, a byte at a time through a table. */

#include "../kernels/bench.h"

#define N BY_SIZE(100, 4000, 400000, 4000000, 40000000)

static void init(int n, unsigned char *bytes)
{
    for (int i = 0; i < n; i++)
        bytes[i] = (unsigned char)(i * 7 + (i >> 3));
}

void kernel_by_crc32(int n, const unsigned char *bytes, unsigned *table, unsigned *result)
{
    for (unsigned i = 0; i < 256; i++) {
        unsigned c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
    unsigned crc = 0xffffffffu;
    for (int i = 0; i < n; i++)
        crc = table[(crc ^ bytes[i]) & 0xff] ^ (crc >> 8);
    *result = crc ^ 0xffffffffu;
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    unsigned char *bytes = bench_alloc(n, 1);
    unsigned *table = bench_alloc(256, sizeof *table);
    unsigned *result = bench_alloc(1, sizeof *result);
    init(n, bytes);

    bench_start();
    kernel_by_crc32(n, bytes, table, result);
    bench_stop();

    bench_ints("table", table, 256);
    bench_ints("crc", result, 1);
    free(bytes);
    free(table);
    free(result);
    return 0;
}
