// A number that a loop divides by is worth a copy, however great it is: the rest of a division
// by an unknown number is no affine subscript.
// RUN: polyopt-opt %s -p known-arguments | filecheck %s

// CHECK-LABEL: func.func @ring(
// CHECK-NOT:     arith.constant 1000 : i32
// CHECK-LABEL: func.func private @ring.1000(
// CHECK:         arith.constant 1000 : i32
void ring(int n, double *restrict b, const double *restrict a)
{
  for (int i = 0; i < n; i++) b[i] = a[(i + n - 1) % n] + a[(i + 1) % n];
}

// As another type, and for another loop than the one that it bounds.
// CHECK-LABEL: func.func @table(
// CHECK-LABEL: func.func private @table.777(
// CHECK:         arith.constant 777 : i32
unsigned table(unsigned long n, unsigned size, const unsigned *key)
{
  unsigned sum = 0;
  for (unsigned long i = 0; i < n; i++) sum += key[i] % size;
  return sum;
}

// Divided once, or divided itself, it is not.
// CHECK:       func.func @once(
// CHECK-NOT:   func.func private
int once(int n, int size, const int *a)
{
  int sum = 0, part = n / size;
  for (int i = 0; i < part; i++) sum += a[i];
  return sum;
}

int divided(int n, const int *a)
{
  int sum = 0;
  for (int i = 0; i < n; i++) sum += a[n / 3];
  return sum;
}

double x[1000], y[1000];
int z[1000];
unsigned k[1000];

int main(void)
{
  ring(1000, x, y);
  return table(1000, 777, k) + once(3000, 1000, z) + divided(1000, z);
}
