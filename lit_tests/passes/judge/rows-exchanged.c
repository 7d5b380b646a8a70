// Rows that come nearer to each other: LLVM asks once whether all of them are apart, takes them to overlap, and makes no vectors.
// RUN: polyopt-cc -O3 -march=x86-64-v3 --emit=scf --remarks=3 %s -o - 2>&1 | filecheck %s

short p[400][400];

// CHECK: rows-exchanged.c:8:{{.*}} analysis: what was made of the loops is kept
void exchanged(int w, int h) {
  for (int y = 0; y < h / 2; y++)
    for (int x = 0; x < w; x++) {
      short t = p[y][x];
      p[y][x] = p[h - 1 - y][x];
      p[h - 1 - y][x] = t;
    }
}

// Rows that move together are apart for LLVM, too.
// CHECK: rows-exchanged.c:19:{{.*}} analysis: the code stays as it was written
void moved(int w, int h) {
  for (int y = 0; y < h / 2; y++)
    for (int x = 0; x < w; x++) {
      short t = p[y][x];
      p[y][x] = p[y + 200][x];
      p[y + 200][x] = t;
    }
}
