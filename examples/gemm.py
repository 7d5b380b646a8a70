"""Call a C kernel on NumPy arrays, optimised and not, and compare the two with NumPy's own product.

python examples/gemm.py [size]
"""

import os
import sys
from pathlib import Path
from time import perf_counter

import numpy as np

import polyopt
from polyopt.support.remarks import Remark

SOURCE = Path(__file__).with_name("gemm.c")


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    m, k = n + 100, n + 200
    random = np.random.default_rng(0)
    a = random.random((n, k))
    b = random.random((k, m))
    start = random.random((n, m))
    expected = 1.5 * (a @ b) + 1.2 * start

    remarks: tuple[Remark, ...] = ()
    seconds: dict[str, float] = {}
    for name, options in {
        "polyhedral passes off": ("-O3", "-ffast-math", "-fno-poly"),
        "polyhedral passes on": ("-O3", "-ffast-math"),
    }.items():
        kernels = polyopt.compile(os.path.relpath(SOURCE), options)
        c = start.copy()
        began = perf_counter()
        kernels.gemm(n, m, k, 1.5, 1.2, c, a, b)
        seconds[name] = perf_counter() - began
        remarks = kernels.remarks
        np.testing.assert_allclose(c, expected, rtol=1e-9)
        print(f"{name}: {seconds[name]:.4f} s, {2e-9 * n * m * k / seconds[name]:.1f} GFLOP/s")

    off, on = seconds.values()
    print(f"results agree with NumPy's; speed-up: {off / on:.1f}")
    for remark in remarks:
        if remark.kind != "analysis":
            print(remark)


if __name__ == "__main__":
    main()
