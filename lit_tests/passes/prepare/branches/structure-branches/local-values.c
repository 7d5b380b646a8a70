// RUN: polyopt-opt %s -p promote-scalars,clean-values,if-convert,structure-branches | filecheck %s

// A variable that each way through the body writes before it is read is a value.
// CHECK-LABEL: func.func @chain
// CHECK-NOT:     memref<f32>
// CHECK:         %[[X:.*]] = scf.if %{{.*}} -> (f32) {
// CHECK:           scf.yield
// CHECK:         } else {
// CHECK:           %[[Y:.*]] = scf.if %{{.*}} -> (f32) {
// CHECK:           scf.yield %[[Y]] : f32
// CHECK-NOT:     memref<f32>
// CHECK:         memref.store %[[X]], %{{.*}} : memref<?xf32>
void chain(int n, const float *a, const float *b, float *out)
{
    for (int i = 0; i < n; i++) {
        float x;
        if (a[i] > 1)
            x = b[2 * i];
        else if (a[i] < -1)
            x = b[i] / a[i];
        else
            x = out[i + 1];
        out[i] = x;
    }
}

// What goes round the loop stays a variable, and so does what some ways leave as it was.
// CHECK-LABEL: func.func @sum
// CHECK:         scf.if
// CHECK:           memref.store %{{.*}}, %s[] : memref<f32>
float sum(int n, const float *a, const float *b)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > 1)
            s += b[i];
    return s;
}

// CHECK-LABEL: func.func @last
// CHECK:         scf.if
// CHECK:           memref.store %{{.*}}, %x[] : memref<f32>
// CHECK:         memref.load %x[] : memref<f32>
void last(int n, const float *a, const float *b, float *out)
{
    float x = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] > 1)
            x = b[i];
        out[i] = x;
    }
}
