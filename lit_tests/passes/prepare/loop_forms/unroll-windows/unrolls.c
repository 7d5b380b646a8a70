// RUN: polyopt-opt %s -p promote-scalars,clean-values,if-convert,unroll-windows | filecheck %s

#define N 64
extern float in[N + 2][N + 2], out[N][N], k[3][3], v[N][4];
extern int count[N];

// Both loops of the window are gone, the sum is a value, in its order.
// CHECK-LABEL: func.func @window
// CHECK-NOT:     memref.alloca
// CHECK-COUNT-9: arith.mulf
// CHECK-NOT:     arith.mulf
// CHECK:         memref.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : memref<64x64xf32>
// CHECK-NOT:     memref.store
// CHECK:         func.return
void window(void)
{
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            float s = 0;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    s += in[y + i][x + j] * k[i][j];
            out[y][x] = s;
        }
}

// An element that is updated in memory is loaded and stored once: nothing in between may see it.
// CHECK-LABEL: func.func @in_memory
// CHECK:         %[[OLD:.*]] = memref.load %[[OUT:.*]][%[[Y:.*]], %[[X:.*]]] : memref<64x64xf32>
// CHECK:         %[[A:.*]] = arith.addf %[[OLD]], %{{.*}} : f32
// CHECK:         %[[B:.*]] = arith.addf %[[A]], %{{.*}} : f32
// CHECK:         %[[C:.*]] = arith.addf %[[B]], %{{.*}} : f32
// CHECK-NEXT:    memref.store %[[C]], %[[OUT]][%[[Y]], %[[X]]] : memref<64x64xf32>
// CHECK-NOT:     memref.store
// CHECK:         func.return
void in_memory(void)
{
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            for (int i = 0; i < 3; i++)
                out[y][x] += in[y + i][x];
}

// Where it may be seen, each store stays.
// CHECK-LABEL: func.func @seen
// CHECK-COUNT-2: memref.store
// CHECK-NOT:     memref.store
// CHECK:         func.return
void seen(float *a, const float *b)
{
    for (int x = 0; x < N; x++)
        for (int i = 0; i < 2; i++)
            a[x] += b[2 * x + i];
}

// A loop that tests at its end, one that counts down by two, and the counter afterwards.
// CHECK-LABEL: func.func @forms
// CHECK-COUNT-4: arith.mulf
// CHECK-NOT:     arith.mulf
// CHECK-COUNT-3: arith.divf
// CHECK-NOT:     arith.divf
// CHECK:         func.return
void forms(void)
{
    for (int y = 0; y < N; y++) {
        float s = 1;
        int i = 0;
        do {
            s *= v[y][i];
        } while (++i < 4);
        for (i = 4; i >= 0; i -= 2)
            s /= in[y][i];
        out[y][0] = s;
        count[y] = i;
    }
}

// A body of several blocks is copied as such.
// CHECK-LABEL: func.func @branches
// CHECK-COUNT-2: cf.cond_br %{{.*}}, ^{{.*}}, ^{{.*}}
// CHECK-COUNT-2: arith.divsi
// CHECK-NOT:     arith.divsi
// CHECK:         func.return
void branches(int d)
{
    for (int y = 0; y < N; y++)
        for (int i = 0; i < 2; i++)
            if (count[y + i] > d)
                count[y] += count[0] / d;
}
