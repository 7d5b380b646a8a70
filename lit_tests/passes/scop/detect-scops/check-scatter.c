// RUN: polyopt-cc -O2 --check --emit=poly -o - %s | filecheck %s

// Where no box is known for what is written (the subscript is data, and C does not say how long the
// array is), the source's order tells of each element before it writes it. So it is where data
// decide whether an element, which may not be there, is written at all.

// CHECK-LABEL: func.func private @histogram.0.source(
// CHECK:         %[[PLACE:.*]] = cmem.address %[[BINS:[a-z_0-9]*]][%[[AT:.*]]] : memref<?xi32>
// CHECK-NEXT:    func.call @__polyopt_check_note(%frame, %{{.*}}, %[[PLACE]])
// CHECK-NEXT:    memref.store %{{.*}}, %[[BINS]][%[[AT]]] : memref<?xi32>
void histogram(int n, const int *restrict index, int *restrict bins)
{
    for (int i = 0; i < n; i++)
        bins[index[i]] += 1;
}

// CHECK-LABEL: func.func private @some.0.source(
// CHECK:         func.call @__polyopt_check_note
void some(int n, const int *restrict is_there, double *restrict a)
{
    for (int i = 0; i < n; i++)
        if (is_there[i])
            a[i] = 1.0;
}

// An element that is read for sure is there, and so are those of a variable.
// CHECK-LABEL: func.func private @limited.0.source(
// CHECK-NOT:     func.call @__polyopt_check_note
// CHECK-LABEL: func.func private @local.0.source(
// CHECK-NOT:     func.call @__polyopt_check_note
void limited(int n, double *restrict a)
{
    for (int i = 0; i < n; i++)
        if (a[i] > 1.0)
            a[i] = 1.0;
}

int local(int n, const unsigned char *restrict text)
{
    int bins[256];
    for (int i = 0; i < 256; i++)
        bins[i] = 0;
    for (int i = 0; i < n; i++)
        bins[text[i]] += 1;
    return bins[7];
}
