"""The rate of OpenBLAS: what a matrix product can reach on this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Collection

_SCRIPT = """
import time
import numpy
from numpy import random
n, m, k = 1000, 1100, 1200
a, b, c = random.rand(n, k), random.rand(k, m), numpy.zeros((n, m))
best = 1e30
for _ in range({rounds}):
    begin = time.perf_counter()
    numpy.dot(a, b, out=c)
    best = min(best, time.perf_counter() - begin)
blas = numpy.show_config(mode="dicts")["Build Dependencies"]["blas"]["name"]
print(blas, 2 * n * m * k / best * 1e-9)
"""


def blas_rate(
    cores: Collection[int], rounds: int, *, threads: int = 1, core_type: str | None = None
) -> float | None:
    """GFLOP/s of NumPy's OpenBLAS on gemm's LARGE sizes; None if NumPy has another library.
    `core_type` "Haswell" makes it use its AVX2 kernels."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": str(threads)}
    if core_type is not None:
        environment["OPENBLAS_CORETYPE"] = core_type
    ran = subprocess.run(
        [sys.executable, "-c", _SCRIPT.format(rounds=rounds)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
    )
    if ran.returncode != 0:
        return None
    name, rate = ran.stdout.split()
    return float(rate) if "openblas" in name.lower() else None


def has_avx512() -> bool:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return "avx512f" in file.read()
    except OSError:
        return False
