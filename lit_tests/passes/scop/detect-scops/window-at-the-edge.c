// A window that the edge cuts off: the loop counts from the greatest of two bounds, and both are
// bounds of the statement's instances, so that what it reads is a plain sum. From the least of two
// on it is not: iterations are counted from 0.
// RUN: polyopt-cc -O3 --emit=poly --poly=identity %s | filecheck %s

// CHECK-LABEL: poly.scop "window"
// CHECK:       poly.stmt "S0" domain <"[C_] -> { S0[c, d] : 0 <= c < C_ and d >= -2 + c and 0 <= d <= 2 + c and d < C_ }"> iterators ["c", "d"]
// CHECK:       poly.read %x <"[C_] -> { S0[c, d] -> x[d] }">
float x[4096], y[4096];
void window(int C_) {
  for (int c = 0; c < C_; c++) {
    int lo = c - 2 < 0 ? 0 : c - 2, hi = c + 2 >= C_ ? C_ - 1 : c + 2;
    for (int d = lo; d <= hi; d++)
      y[c] += x[d];
  }
}

// CHECK-LABEL: poly.scop "from_the_least"
// CHECK:       poly.stmt "S0" domain <"[C_] -> { S0[c, d] : c >= 0 and d >= 0 and (
// CHECK:       poly.read %x <"[C_] -> { S0[c, d] -> x[100 + d] : c >= 101; S0[c, d] -> x[c + d] : c <= 100 }">
void from_the_least(int C_) {
  for (int c = 0; c < C_; c++)
    for (int d = c < 100 ? c : 100; d < C_; d++)
      y[c] += x[d];
}
