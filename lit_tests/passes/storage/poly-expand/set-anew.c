// A variable of the loop's body is set anew in each row before it is read, also in the loops as they
// were written: what it held at the end of a row is not put back, and no row of them is left.
// RUN: polyopt-cc -O3 --emit=poly -o - %s | polyopt-opt -p 'poly-expand{arrays="m"}' | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v4 --emit=loops -o - %s | filecheck %s --check-prefix=LOOPS

static inline unsigned char larger(unsigned char x, unsigned char y) { return x > y ? x : y; }

// CHECK:     poly.scop "border"
// CHECK:     poly.write %{{.*}}, %m_x
// CHECK-NOT: poly.stmt "copy_m"
// CHECK:     func.func @kept
// LOOPS:     func.func @border
// LOOPS:     affine.vector_store
// LOOPS-NOT: memref.alloc(
// LOOPS:     func.func @kept
void border(const unsigned char *s, unsigned char *d, int w, int h)
{
    for (int y = 0; y < h; y++) {
        const unsigned char *c = s + y * w, *u = y > 0 ? c - w : c;
        unsigned char *o = d + y * w;
        for (int x = 0; x < w; x++) {
            unsigned char m = larger(c[x], u[x]);
            if (x > 0)
                m = larger(m, c[x - 1]);
            o[x] = m;
        }
    }
}

// Here the last one of a row is read behind it.
// CHECK:     poly.stmt "copy_m"
void note(unsigned char);
void kept(const unsigned char *s, unsigned char *d, int w, int h)
{
    unsigned char m = 0;
    for (int y = 0; y < h; y++) {
        const unsigned char *c = s + y * w, *u = y > 0 ? c - w : c;
        unsigned char *o = d + y * w;
        for (int x = 0; x < w; x++) {
            m = larger(c[x], u[x]);
            if (x > 0)
                m = larger(m, c[x - 1]);
            o[x] = m;
        }
        note(m);
    }
}
