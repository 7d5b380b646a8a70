// Many statements under conditions on what is left of the iterator, and on whole parts of it: isl's flow of values
// read beyond its quotients, and the compiler was gone. The results are those of the source.
// RUN: polyopt-cc -O0 --run %s > %t.source
// RUN: polyopt-cc -O3 --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: filecheck %s --input-file %t.made

#include <stdio.h>

int a[400], b[400];
int residues(int n, int m, int k) {
  int c = 0, x = 1;
  int i = 1;
  do {
    x = 2*i;
    if ((i > n || 2*i - 4 > k)) {
      switch (i % 4) { case 0: c++; case 1: a[i]--; break; case 2: break; default: c += 3; }
      if (i - 7 < n) {
        x = 2*i + 5;
      } else {
        switch (i % 4) { case 0: c++; case 1: a[i]--; break; case 2: break; default: c += 3; }
        if (-1*i > 4) {
          a[i] += i - 7;
          switch (i % 4) { case 0: c++; case 1: a[i]--; break; case 2: break; default: c += 3; }
        }
        b[i + 3] = a[i + 2] + 5;
      }
      if (i != i - 5) {
        c += -1*i;
        b[i + 1] = a[i] + 5;
      } else {
        if (((-1*i <= 18 && (i - 3 < m && i + 6 < 15)) || ((i % 2) == 2 && !((i % 4) == 0)))) {
          switch (i % 4) { case 0: c++; case 1: a[i]--; break; case 2: break; default: c += 3; }
          switch (i % 4) { case 0: c++; case 1: a[i]--; break; case 2: break; default: c += 3; }
        } else {
          if (i > i + 4) {
            switch (i % 4) { case 0: c++; case 1: a[i]--; break; case 2: break; default: c += 3; }
          } else {
            c += i;
            if ((i - 1 > 2*i && i == m)) {
              b[i + 2] ^= x;
            } else {
              a[i] += i;
            }
          }
          a[i + 1] += i;
        }
        x = -1*i;
        switch (i % 4) { case 0: c++; case 1: a[i]--; break; case 2: break; default: c += 3; }
      }
    }
    i += 1;
  } while (i < n - 3 || i < m - 1);
  c += i;
  c += 5;
  return c * 3 + x;
}

// CHECK: residues 10 11 4:
int main(void)
{
    for (int n = -8; n < 12; n += 6)
        for (int m = -3; m < 12; m += 1)
            for (int k = -6; k < 6; k += 5) {
                for (int i = 0; i < 400; i++)
                    a[i] = i % 7, b[i] = i % 5;
                int found = residues(n, m, k), sum = 0;
                for (int i = 0; i < 400; i++)
                    sum += (i + 1) * a[i] - (i % 3) * b[i];
                printf("residues %d %d %d: %d %d\n", n, m, k, found, sum);
            }
    return 0;
}
