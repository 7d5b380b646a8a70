"""The SCoPs of the 30 PolyBench computations, as a front end would find them.

Scalars that stay in memory are arrays of no dimensions. The names are those of
`benchmarks/kernels`.
"""

from __future__ import annotations

KERNELS = {
    "2mm": """
[ni, nj, nk, nl]
for i : 0 <= i < ni
  for j : 0 <= j < nj
    S0: tmp[i, j] =
    for k : 0 <= k < nk
      S1: tmp[i, j] += A[i, k] B[k, j]
for i : 0 <= i < ni
  for l : 0 <= l < nl
    S2: D[i, l] = D[i, l]
    for j : 0 <= j < nj
      S3: D[i, l] += tmp[i, j] C[j, l]
""",
    "3mm": """
[ni, nj, nk, nl, nm]
for i : 0 <= i < ni
  for j : 0 <= j < nj
    S0: E[i, j] =
    for k : 0 <= k < nk
      S1: E[i, j] += A[i, k] B[k, j]
for i : 0 <= i < nj
  for j : 0 <= j < nl
    S2: F[i, j] =
    for k : 0 <= k < nm
      S3: F[i, j] += C[i, k] D[k, j]
for i : 0 <= i < ni
  for j : 0 <= j < nl
    S4: G[i, j] =
    for k : 0 <= k < nj
      S5: G[i, j] += E[i, k] F[k, j]
""",
    "adi": """
[tsteps, n]
for t : 1 <= t <= tsteps
  for i : 1 <= i < n - 1
    S0: v[0, i] =
    S1: p[i, 0] =
    S2: q[i, 0] = v[0, i]
    for j : 1 <= j < n - 1
      S3: p[i, j] = p[i, j - 1]
      S4: q[i, j] = u[j, i-1] u[j, i] u[j, i+1] q[i, j-1] p[i, j-1]
    S5: v[n - 1, i] =
    for j down : 1 <= j <= n - 2
      S6: v[j, i] = p[i, j] v[j + 1, i] q[i, j]
  for i : 1 <= i < n - 1
    S7: u[i, 0] =
    S8: p[i, 0] =
    S9: q[i, 0] = u[i, 0]
    for j : 1 <= j < n - 1
      S10: p[i, j] = p[i, j - 1]
      S11: q[i, j] = v[i-1, j] v[i, j] v[i+1, j] q[i, j-1] p[i, j-1]
    S12: u[i, n - 1] =
    for j down : 1 <= j <= n - 2
      S13: u[i, j] = p[i, j] u[i, j + 1] q[i, j]
""",
    "atax": """
[m, n]
for j : 0 <= j < n
  S0: y[j] =
for i : 0 <= i < m
  S1: tmp[i] =
  for j : 0 <= j < n
    S2: tmp[i] += A[i, j] x[j]
  for j : 0 <= j < n
    S3: y[j] += A[i, j] tmp[i]
""",
    "bicg": """
[m, n]
for j : 0 <= j < m
  S0: s[j] =
for i : 0 <= i < n
  S1: q[i] =
  for j : 0 <= j < m
    S2: s[j] += r[i] A[i, j]
    S3: q[i] += A[i, j] p[j]
""",
    "cholesky": """
[n]
for i : 0 <= i < n
  for j : 0 <= j < i
    for k : 0 <= k < j
      S0: A[i, j] = A[i, j] A[i, k] A[j, k]
    S1: A[i, j] = A[i, j] A[j, j]
  for k : 0 <= k < i
    S2: A[i, i] = A[i, i] A[i, k]
  S3: A[i, i] = A[i, i]
""",
    "correlation": """
[m, n]
for j : 0 <= j < m
  S0: mean[j] =
  for i : 0 <= i < n
    S1: mean[j] += data[i, j]
  S2: mean[j] = mean[j]
for j : 0 <= j < m
  S3: stddev[j] =
  for i : 0 <= i < n
    S4: stddev[j] += data[i, j] mean[j]
  S5: stddev[j] = stddev[j]
  S6: stddev[j] = stddev[j]
  S7: stddev[j] = stddev[j]
for i : 0 <= i < n
  for j : 0 <= j < m
    S8: data[i, j] = data[i, j] mean[j]
    S9: data[i, j] = data[i, j] stddev[j]
for i : 0 <= i < m - 1
  S10: corr[i, i] =
  for j : i + 1 <= j < m
    S11: corr[i, j] =
    for k : 0 <= k < n
      S12: corr[i, j] += data[k, i] data[k, j]
    S13: corr[j, i] = corr[i, j]
S14: corr[m - 1, m - 1] =
""",
    "covariance": """
[m, n]
for j : 0 <= j < m
  S0: mean[j] =
  for i : 0 <= i < n
    S1: mean[j] += data[i, j]
  S2: mean[j] = mean[j]
for i : 0 <= i < n
  for j : 0 <= j < m
    S3: data[i, j] = data[i, j] mean[j]
for i : 0 <= i < m
  for j : i <= j < m
    S4: cov[i, j] =
    for k : 0 <= k < n
      S5: cov[i, j] += data[k, i] data[k, j]
    S6: cov[i, j] = cov[i, j]
    S7: cov[j, i] = cov[i, j]
""",
    "deriche": """
[w, h]
for i : 0 <= i < w
  S0: ym1[] =
  S1: ym2[] =
  S2: xm1[] =
  for j : 0 <= j < h
    S3: y1[i, j] = image[i, j] xm1[] ym1[] ym2[]
    S4: xm1[] = image[i, j]
    S5: ym2[] = ym1[]
    S6: ym1[] = y1[i, j]
for i : 0 <= i < w
  S7: yp1[] =
  S8: yp2[] =
  S9: xp1[] =
  S10: xp2[] =
  for j down : 0 <= j < h
    S11: y2[i, j] = xp1[] xp2[] yp1[] yp2[]
    S12: xp2[] = xp1[]
    S13: xp1[] = image[i, j]
    S14: yp2[] = yp1[]
    S15: yp1[] = y2[i, j]
for i : 0 <= i < w
  for j : 0 <= j < h
    S16: edges[i, j] = y1[i, j] y2[i, j]
for j : 0 <= j < h
  S17: tm1[] =
  S18: ym1[] =
  S19: ym2[] =
  for i : 0 <= i < w
    S20: y1[i, j] = edges[i, j] tm1[] ym1[] ym2[]
    S21: tm1[] = edges[i, j]
    S22: ym2[] = ym1[]
    S23: ym1[] = y1[i, j]
for j : 0 <= j < h
  S24: tp1[] =
  S25: tp2[] =
  S26: yp1[] =
  S27: yp2[] =
  for i down : 0 <= i < w
    S28: y2[i, j] = tp1[] tp2[] yp1[] yp2[]
    S29: tp2[] = tp1[]
    S30: tp1[] = edges[i, j]
    S31: yp2[] = yp1[]
    S32: yp1[] = y2[i, j]
for i : 0 <= i < w
  for j : 0 <= j < h
    S33: edges[i, j] = y1[i, j] y2[i, j]
""",
    "doitgen": """
[nr, nq, np]
for r : 0 <= r < nr
  for q : 0 <= q < nq
    for p : 0 <= p < np
      S0: sum[p] =
      for s : 0 <= s < np
        S1: sum[p] += A[r, q, s] C4[s, p]
    for p : 0 <= p < np
      S2: A[r, q, p] = sum[p]
""",
    "durbin": """
[n]
S0: alpha[] = r[0]
S1: beta[] =
S2: y[0] = r[0]
for k : 1 <= k < n
  S3: beta[] = beta[] alpha[]
  S4: sum[] =
  for i : 0 <= i < k
    S5: sum[] += r[k - i - 1] y[i]
  S6: alpha[] = r[k] sum[] beta[]
  for i : 0 <= i < k
    S7: z[i] = y[i] alpha[] y[k - i - 1]
  for i : 0 <= i < k
    S8: y[i] = z[i]
  S9: y[k] = alpha[]
""",
    "fdtd-2d": """
[tmax, nx, ny]
for t : 0 <= t < tmax
  for j : 0 <= j < ny
    S0: ey[0, j] = pulse[t]
  for i : 1 <= i < nx
    for j : 0 <= j < ny
      S1: ey[i, j] = ey[i, j] hz[i, j] hz[i - 1, j]
  for i : 0 <= i < nx
    for j : 1 <= j < ny
      S2: ex[i, j] = ex[i, j] hz[i, j] hz[i, j - 1]
  for i : 0 <= i < nx - 1
    for j : 0 <= j < ny - 1
      S3: hz[i, j] = hz[i, j] ex[i, j + 1] ex[i, j] ey[i + 1, j] ey[i, j]
""",
    "floyd-warshall": """
[n]
for k : 0 <= k < n
  for i : 0 <= i < n
    for j : 0 <= j < n
      S0: path[i, j] = path[i, j] path[i, k] path[k, j]
""",
    "gemm": """
[ni, nj, nk]
for i : 0 <= i < ni
  for j : 0 <= j < nj
    S0: C[i, j] = C[i, j]
  for k : 0 <= k < nk
    for j : 0 <= j < nj
      S1: C[i, j] += A[i, k] B[k, j]
""",
    "gemver": """
[n]
for i : 0 <= i < n
  for j : 0 <= j < n
    S0: A[i, j] = A[i, j] u1[i] v1[j] u2[i] v2[j]
for i : 0 <= i < n
  for j : 0 <= j < n
    S1: x[i] += A[j, i] y[j]
for i : 0 <= i < n
  S2: x[i] += z[i]
for i : 0 <= i < n
  for j : 0 <= j < n
    S3: w[i] += A[i, j] x[j]
""",
    "gesummv": """
[n]
for i : 0 <= i < n
  S0: tmp[i] =
  S1: y[i] =
  for j : 0 <= j < n
    S2: tmp[i] += A[i, j] x[j]
    S3: y[i] += B[i, j] x[j]
  S4: y[i] = tmp[i] y[i]
""",
    "gramschmidt": """
[m, n]
for k : 0 <= k < n
  S0: norm[] =
  for i : 0 <= i < m
    S1: norm[] += A[i, k]
  S2: R[k, k] = norm[]
  for i : 0 <= i < m
    S3: Q[i, k] = A[i, k] R[k, k]
  for j : k + 1 <= j < n
    S4: R[k, j] =
    for i : 0 <= i < m
      S5: R[k, j] += Q[i, k] A[i, j]
    for i : 0 <= i < m
      S6: A[i, j] = A[i, j] Q[i, k] R[k, j]
""",
    "heat-3d": """
[tsteps, n]
for t : 1 <= t <= tsteps
  for i : 1 <= i < n - 1
    for j : 1 <= j < n - 1
      for k : 1 <= k < n - 1
        S0: B[i,j,k] = A[i+1,j,k] A[i,j,k] A[i-1,j,k] A[i,j+1,k] A[i,j-1,k] A[i,j,k+1] A[i,j,k-1]
  for i : 1 <= i < n - 1
    for j : 1 <= j < n - 1
      for k : 1 <= k < n - 1
        S1: A[i,j,k] = B[i+1,j,k] B[i,j,k] B[i-1,j,k] B[i,j+1,k] B[i,j-1,k] B[i,j,k+1] B[i,j,k-1]
""",
    "jacobi-1d": """
[tsteps, n]
for t : 0 <= t < tsteps
  for i : 1 <= i < n - 1
    S0: B[i] = A[i - 1] A[i] A[i + 1]
  for i : 1 <= i < n - 1
    S1: A[i] = B[i - 1] B[i] B[i + 1]
""",
    "jacobi-2d": """
[tsteps, n]
for t : 0 <= t < tsteps
  for i : 1 <= i < n - 1
    for j : 1 <= j < n - 1
      S0: B[i, j] = A[i, j] A[i, j-1] A[i, j+1] A[i+1, j] A[i-1, j]
  for i : 1 <= i < n - 1
    for j : 1 <= j < n - 1
      S1: A[i, j] = B[i, j] B[i, j-1] B[i, j+1] B[i+1, j] B[i-1, j]
""",
    "lu": """
[n]
for i : 0 <= i < n
  for j : 0 <= j < i
    for k : 0 <= k < j
      S0: A[i, j] = A[i, j] A[i, k] A[k, j]
    S1: A[i, j] = A[i, j] A[j, j]
  for j : i <= j < n
    for k : 0 <= k < i
      S2: A[i, j] = A[i, j] A[i, k] A[k, j]
""",
    "ludcmp": """
[n]
for i : 0 <= i < n
  for j : 0 <= j < i
    S0: w[] = A[i, j]
    for k : 0 <= k < j
      S1: w[] += A[i, k] A[k, j]
    S2: A[i, j] = w[] A[j, j]
  for j : i <= j < n
    S3: w[] = A[i, j]
    for k : 0 <= k < i
      S4: w[] += A[i, k] A[k, j]
    S5: A[i, j] = w[]
for i : 0 <= i < n
  S6: w[] = b[i]
  for j : 0 <= j < i
    S7: w[] += A[i, j] y[j]
  S8: y[i] = w[]
for i down : 0 <= i < n
  S9: w[] = y[i]
  for j : i + 1 <= j < n
    S10: w[] += A[i, j] x[j]
  S11: x[i] = w[] A[i, i]
""",
    "mvt": """
[n]
for i : 0 <= i < n
  for j : 0 <= j < n
    S0: x1[i] += A[i, j] y1[j]
for i : 0 <= i < n
  for j : 0 <= j < n
    S1: x2[i] += A[j, i] y2[j]
""",
    "nussinov": """
[n]
for i down : 0 <= i < n
  for j : i + 1 <= j < n
    if j >= 1
      S0: table[i, j] = table[i, j] table[i, j - 1]
    if i + 1 < n
      S1: table[i, j] = table[i, j] table[i + 1, j]
    if j >= 1 and i + 1 < n and i < j - 1
      S2: table[i, j] = table[i, j] table[i + 1, j - 1] sequence[i] sequence[j]
    if j >= 1 and i + 1 < n and i >= j - 1
      S3: table[i, j] = table[i, j] table[i + 1, j - 1]
    for k : i + 1 <= k < j
      S4: table[i, j] = table[i, j] table[i, k] table[k + 1, j]
""",
    "seidel-2d": """
[tsteps, n]
for t : 0 <= t <= tsteps - 1
  for i : 1 <= i <= n - 2
    for j : 1 <= j <= n - 2
      S0: A[i,j] = A[i-1,j-1] A[i-1,j] A[i-1,j+1] A[i,j-1] A[i,j] A[i,j+1] A[i+1,j-1] A[i+1,j] \\
                   A[i+1,j+1]
""",
    "symm": """
[m, n]
for i : 0 <= i < m
  for j : 0 <= j < n
    S0: sum[] =
    for k : 0 <= k < i
      S1: C[k, j] += B[i, j] A[i, k]
      S2: sum[] += B[k, j] A[i, k]
    S3: C[i, j] = C[i, j] B[i, j] A[i, i] sum[]
""",
    "syr2k": """
[n, m]
for i : 0 <= i < n
  for j : 0 <= j <= i
    S0: C[i, j] = C[i, j]
  for k : 0 <= k < m
    for j : 0 <= j <= i
      S1: C[i, j] += A[j, k] B[i, k] B[j, k] A[i, k]
""",
    "syrk": """
[n, m]
for i : 0 <= i < n
  for j : 0 <= j <= i
    S0: C[i, j] = C[i, j]
  for k : 0 <= k < m
    for j : 0 <= j <= i
      S1: C[i, j] += A[i, k] A[j, k]
""",
    "trisolv": """
[n]
for i : 0 <= i < n
  S0: x[i] = b[i]
  for j : 0 <= j < i
    S1: x[i] = x[i] L[i, j] x[j]
  S2: x[i] = x[i] L[i, i]
""",
    "trmm": """
[m, n]
for i : 0 <= i < m
  for j : 0 <= j < n
    for k : i + 1 <= k < m
      S0: B[i, j] = B[i, j] A[k, i] B[k, j]
    S1: B[i, j] = B[i, j]
""",
}
"""By name: the text that `polyopt.poly.notation.parse_scop` reads."""

LOCAL = {
    "deriche": ("ym1", "ym2", "xm1", "yp1", "yp2", "xp1", "xp2", "tm1", "tp1", "tp2"),
    "durbin": ("alpha", "beta", "sum", "z"),
    "gramschmidt": ("norm",),
    "ludcmp": ("w",),
    "symm": ("sum",),
}
"""The arrays of each SCoP that nothing reads afterwards."""
