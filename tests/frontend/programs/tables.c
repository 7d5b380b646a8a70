/* Tables of numbers: in every way that digits say an integer, in elements and members that hold it
   as it is, and among items that do not. */
#include <stdio.h>

typedef enum { LOW, HIGH } Level;
static const unsigned char bytes[] = {1, 2, 255, 0x10, 010, 'x', -1, 300 & 255, 3u, 4L, [20] = 7, 8, 9};
static const signed char narrow[5] = {1, 255, -3, 4};
static const _Bool flags[3] = {1, 2, 0};
static long rows[2][3] = {1, 2, 3, 4, 5, 6};
static int wide[] = {0xffffffff, 2147483647, 2147483648u, 0b11};
static volatile unsigned short again[4] = {65535, 1, [1] = 5, 6};
static const Level levels[3] = {1, 0, HIGH};
static const unsigned long long large[2] = {18446744073709551615u, 0x8000000000000000};
static const struct {
  int n;
  short t[3];
  unsigned few : 3;
} parts[3] = {1, 2, 3, 4, 5, {6, {7, 8}, 1}, {9}};
static const char text[4] = {65, 66, 0};
static const double reals[3] = {1, 2, 3};
static const struct { int from, to; } pairs[] = {{1, 2}, {3, -4}, 5, 6};

int main(void) {
  int mine[5] = {1, 2, bytes[0], 4, 5};
  for (unsigned i = 0; i < sizeof bytes; i++) printf("%d ", bytes[i]);
  for (int i = 0; i < 5; i++) printf("%d %d ", narrow[i], mine[i]);
  for (int i = 0; i < 3; i++) {
    printf("\n%d %ld %ld %d %g ", flags[i], rows[0][i], rows[1][i], levels[i], reals[i]);
    printf("%d %d %d %d %u", parts[i].n, parts[i].t[0], parts[i].t[1], parts[i].t[2], parts[i].few);
  }
  for (int i = 0; i < 4; i++) printf("\n%d %d", wide[i], again[i]);
  for (int i = 0; i < 3; i++) printf("\n%d %d", pairs[i].from, pairs[i].to);
  printf("\n%llu %llu %s %zu %zu\n", large[0], large[1], text, sizeof bytes, sizeof wide);
}
