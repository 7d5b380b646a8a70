// The least of several numbers is as many comparisons and selections, one behind the other: rows of such recurrences run in lanes, and
// the first values are not put between them.
// RUN: polyopt-cc -O3 -march=x86-64-v4 --remarks=loops %s -c -o /dev/null 2>&1 | filecheck %s

unsigned char image[300][400];
int near[300][400];

static int least(int a, int b) { return a < b ? a : b; }

// CHECK: least-of-neighbours.c:15:3: loop y: iterations are independent
// CHECK: least-of-neighbours.c:18:3: loop y: 32 iterations in lanes, each 2 behind the one before
// CHECK: least-of-neighbours.c:25:3: loop y: 32 iterations in lanes, each 2 behind the one before
// CHECK-NOT: left as it is written
void distances(void) {
  for (int y = 0; y < 300; y++)
    for (int x = 0; x < 400; x++)
      near[y][x] = image[y][x] > 240 ? 0 : 100000;
  for (int y = 1; y < 300; y++)
    for (int x = 1; x < 399; x++) {
      int m = least(near[y][x], near[y - 1][x] + 3);
      m = least(m, near[y][x - 1] + 3);
      m = least(m, near[y - 1][x - 1] + 4);
      near[y][x] = least(m, near[y - 1][x + 1] + 4);
    }
  for (int y = 298; y >= 0; y--)
    for (int x = 398; x >= 1; x--) {
      int m = least(near[y][x], near[y + 1][x] + 3);
      m = least(m, near[y][x + 1] + 3);
      m = least(m, near[y + 1][x + 1] + 4);
      near[y][x] = least(m, near[y + 1][x - 1] + 4);
    }
}
