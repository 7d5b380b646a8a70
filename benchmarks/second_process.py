"""What a process waits for its compiled function: the first one, and those after it.

    python benchmarks/second_process.py [-n PROCESSES]

Each time is one process's own, in milliseconds of processor time, from behind `import numpy` to
behind the first call: loading the package, making or finding the code, converting three arrays. The
first process compiles; of those after it, which find what is kept, the least is shown. polyopt and
Numba keep code in folders of their own, made for this, and Python keeps bytecode; ctypes and cffi
load a library that `cc` has made before. Numba and cffi are asked where they are installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

C = """
void sum(int n, double a[n], const double b[n], const double c[n]) {
    for (int i = 0; i < n; i++) a[i] = b[i] + c[i];
}
"""

HEAD = """
import time
import numpy as np
a, b, c = np.zeros(4), np.ones(4), np.ones(4)
began = time.process_time()
"""

TAIL = """
print((time.process_time() - began) * 1e3)
assert a[3] == 2
"""

CONTENDERS = {
    "polyopt": """
import polyopt
polyopt.compile(open("sum.c").read(), "-O3").sum(4, a, b, c)
""",
    "Numba": """
from numba import njit
from sums import sum
sum(a, b, c)
""",
    "cffi": """
import cffi
ffi = cffi.FFI()
ffi.cdef("void sum(int, double *, const double *, const double *);")
of = lambda each: ffi.from_buffer("double[]", each)
ffi.dlopen("./libsum.so").sum(4, of(a), of(b), of(c))
""",
    "ctypes": """
import ctypes
of = lambda each: ctypes.c_void_p(each.ctypes.data)
ctypes.CDLL("./libsum.so").sum(4, of(a), of(b), of(c))
""",
}

NUMBA = """
from numba import njit

@njit(cache=True)
def sum(a, b, c):
    for i in range(len(a)):
        a[i] = b[i] + c[i]
"""


def milliseconds(body: str, folder: str) -> float:
    kept = {
        "POLYOPT_CACHE_DIR": f"{folder}/kept-by-polyopt",
        "NUMBA_CACHE_DIR": f"{folder}/kept-by-numba",
    }
    known = [folder, *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, **kept, "PYTHONPATH": os.pathsep.join(known)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", HEAD + body + TAIL]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=7, metavar="PROCESSES")
    later = parser.parse_args().n
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "sum.c").write_text(C, encoding="utf-8")
        Path(folder, "sums.py").write_text(NUMBA, encoding="utf-8")
        words = ["-O2", "-shared", "-fPIC", "-o", "libsum.so", "sum.c"]
        subprocess.run([os.environ.get("CC", "cc"), *words], cwd=folder, check=True)
        rows = {
            name: body
            for name, body in CONTENDERS.items()
            if name in ("polyopt", "ctypes") or importlib.util.find_spec(name.lower())
        }
        first = {name: milliseconds(body, folder) for name, body in rows.items()}
        best = dict.fromkeys(rows, float("inf"))
        for _ in range(later):
            for name, body in rows.items():
                best[name] = min(best[name], milliseconds(body, folder))
    print(f"{'ms to a first call':20}{'first process':>16}{'those after it':>16}")
    for name in rows:
        print(f"{name:20}{first[name]:>16.0f}{best[name]:>16.0f}")


if __name__ == "__main__":
    main()
