"""Small loop nests of every shape that the polyhedral mathematics has to get right."""

from __future__ import annotations

GEMM = """
[n, m, k] : n > 0
for i : 0 <= i < n
  for j : 0 <= j < m
    S: C[i, j] = C[i, j]
    for l : 0 <= l < k
      T: C[i, j] += A[i, l] B[l, j]
"""

JACOBI = """
[n, m]
for t : 0 <= t < n
  for i : 1 <= i < m - 1
    S: B[i] = A[i - 1] A[i] A[i + 1]
  for i : 1 <= i < m - 1
    T: A[i] = B[i]
"""

SEIDEL = """
[n, m]
for t : 0 <= t < n
  for i : 1 <= i < m - 1
    for j : 1 <= j < m - 1
      S: A[i, j] = A[i-1, j-1] A[i-1, j] A[i, j-1] A[i, j] A[i, j+1] A[i+1, j] A[i+1, j+1]
"""

CHOLESKY = """
[n]
for i : 0 <= i < n
  for j : 0 <= j < i
    for l : 0 <= l < j
      S: A[i, j] = A[i, j] A[i, l] A[j, l]
    T: A[i, j] = A[i, j] A[j, j]
  for l : 0 <= l < i
    U: A[i, i] = A[i, i] A[i, l]
  V: A[i, i] = A[i, i]
"""

SCALAR = """
[n]
for i : 0 <= i < n
  S: x[] =
  for j : 0 <= j <= i
    T: x[] += A[i, j]
  U: B[i] = x[]
"""

MODULO_DOWN = """
[n]
for i down : 0 <= i < n
  if i mod 3 = 1
    S: A[i] = A[i + 1]
  if i mod 2 = 0
    T: A[floor(i/2)] = A[i]
"""

MAY_WRITES = """
[n]
for i : 0 <= i < n
  S: A[i] =
  for j : 0 <= j < 2
    T: ?A[*] = B[j]
  U: B[i] = A[i]
"""

TWO_UPDATES = """
[n]
S: x[] =
for i : 0 <= i < n
  T: x[] += A[i]
for i : 0 <= i < n
  U: x[] += B[i]
  V: C[i] = x[]
"""

NESTS = {
    "gemm": GEMM,
    "jacobi": JACOBI,
    "seidel": SEIDEL,
    "cholesky": CHOLESKY,
    "scalar": SCALAR,
    "modulo-down": MODULO_DOWN,
    "may-writes": MAY_WRITES,
    "two-updates": TWO_UPDATES,
}
