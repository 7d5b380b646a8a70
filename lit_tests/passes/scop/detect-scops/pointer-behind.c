// RUN: polyopt-cc -O2 --emit=poly -o - %s | filecheck %s

// A pointer that a loop has moved in steps, and that is used behind it, is computed from where it
// started; one that data move goes through memory. What is loaded where a loop has left a pointer
// stays behind the loop.

// CHECK-LABEL: func.func @ended
// CHECK-NOT:     memref<!llvm.ptr>
// CHECK:         poly.scop "ended"
// CHECK:           poly.write %{{.*}}, %{{.*}} <"[n] -> { {{.*}}[{{.*}}] -> to[{{.*}}2n
// CHECK:           poly.write %{{.*}}, %{{.*}} <"[n] -> { {{.*}}[] -> to[2n] }">
void ended(const char *restrict from, unsigned long n, char *restrict to)
{
    while (n--) {
        *to++ = *from;
        *to++ = *from++ + 1;
    }
    *to = 0;
}

// CHECK-LABEL: func.func @length
// CHECK:         poly.scop "length" params(
// CHECK-NOT:       memref<!llvm.ptr>
// CHECK:         cmem.offset %to, %{{.*}} stride 1
char *length(const char *restrict from, const char *end, char *restrict to)
{
    for (; from != end; from++)
        *to++ = *from ^ 1;
    return to;
}

// CHECK-LABEL: func.func @last
// CHECK:         poly.scop "last"
// CHECK-NOT:       poly.stmt "S2"
// CHECK:           poly.read %{{.*}} <"{{.*}} S1[] -> from[
void last(const char *restrict from, unsigned n, char *restrict to)
{
    const char *p = from + n;
    char *q = to;
    for (; n; n--)
        *q++ = *--p;
    *q = *p;
}

// CHECK-LABEL: func.func @packed
// CHECK:         memref.alloca() : memref<!llvm.ptr>
void packed(const char *restrict from, int n, char *restrict to)
{
    for (int i = 0; i < n; i++) {
        *to = from[i];
        if (from[i])
            to++;
    }
    *to = 0;
}
