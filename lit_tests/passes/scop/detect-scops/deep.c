// Of loops nested more than eight deep, the inner eight are understood together.
// RUN: polyopt-cc -O3 --emit=poly --remarks %s -o %t 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 --emit=poly %s -o - | filecheck %s --check-prefix=POLY

int A[2][2][2][2][2][2][2][2][2];

// CHECK: deep.c:{{[0-9]+}}:19: missed: loops nested 9 deep are too many to be understood together
// CHECK: deep.c:{{[0-9]+}}:21: analysis: static control part: 1 statement, 1 array, loops nested 8 deep
// POLY:  poly.scop "nine" params({{.*}}) ["a"]
void nine(void) {
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++)
      for (int c = 0; c < 2; c++)
        for (int d = 0; d < 2; d++)
          for (int e = 0; e < 2; e++)
            for (int f = 0; f < 2; f++)
              for (int g = 0; g < 2; g++)
                for (int h = 0; h < 2; h++)
                  for (int i = 0; i < 2; i++)
                    A[a][b][c][d][e][f][g][h][i]++;
}
