// Where tiles of registers can do without panels, a product is packed from the sizes on for which L2
// (of 1 MiB half counts: 256 x 256 doubles) does not hold the second operand.
// RUN: polyopt-cc -O3 -march=x86-64-v4 -ffast-math --emit=loops -o - -DN=100 %s | filecheck %s --check-prefix=SMALL
// RUN: polyopt-cc -O3 -march=x86-64-v4 -ffast-math --emit=loops -o - -DN=4000 %s | filecheck %s --check-prefix=LARGE

// A transposed second operand has no rows of elements that follow each other: it is packed earlier.
// RUN: polyopt-cc -O3 -march=x86-64-v4 -ffast-math --emit=loops -o - -DN=100 -DACROSS %s | filecheck %s --check-prefix=LARGE

// Where the last columns take one vector of a tile's three (1010 = 42 * 24 + 2), there is a tile of one.
// RUN: polyopt-cc -O3 -march=x86-64-v4 -ffast-math --emit=loops -o - -DN=1010 %s | filecheck %s --check-prefix=REST

#ifdef ACROSS
#define PLACE [j][k]
#else
#define PLACE [k][j]
#endif

void product(double A[restrict N][N], double B[restrict N][N], double C[restrict N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            C[i][j] = 0;
            for (int k = 0; k < N; k++)
                C[i][j] += A[i][k] * B PLACE;
        }
}

// The results begin with zero in registers: they are stored, never loaded.
// SMALL-NOT:  memref.alloc
// SMALL-NOT:  affine.vector_load %C
// SMALL:      affine.for %k = 0 to 100 iter_args(
// SMALL:        affine.vector_load %B
// SMALL-NOT:  affine.vector_load %C
// SMALL:      affine.vector_store {{.*}}, %C

// LARGE:      memref.alloc
// LARGE:      affine.for %kb

// REST:       affine.for %k{{.*}} -> (vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>) {
// REST:       affine.for %k{{.*}} -> (vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>
