"""A C function called again and again on the same data, in threads: does it always give the same?

A process of its own for each function: how threads wait, and how many there are, is read when the
library that runs them is loaded.

    python -m oracles.repeated_calls SOURCE "OPTIONS" RUNS NUMBER...

calls f(NUMBER..., arrays...) and prints one line of JSON: how many calls gave other bits than the
first, how many elements of the first differ from what gcc -O0 gives, and by how much at most, as a
part of the greatest magnitude; what was said of threads.
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from polyopt.support.record import record

Array = NDArray[np.float64] | NDArray[np.int32]


@record
class Calls:
    """What came of the calls."""

    others: int
    elements_off: int
    off_by: float
    remarks: tuple[str, ...]


def call_again(
    source: Path, options: str, runs: int, numbers: Sequence[int], *, threads: int
) -> Calls:
    """The calls by so many threads, which do not spin where they wait."""
    here = Path(__file__).resolve().parents[1]
    path = os.pathsep.join([str(here), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {
        **os.environ,
        "OMP_NUM_THREADS": str(threads),
        "OMP_WAIT_POLICY": "passive",
        "PYTHONPATH": path,
    }
    command = [sys.executable, "-m", "oracles.repeated_calls", str(source), options, str(runs)]
    ran = subprocess.run(
        [*command, *map(str, numbers)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    return Calls(found["others"], found["off"], found["by"], tuple(found["remarks"]))


def _main(source: str, options: str, runs: str, *texts: str) -> None:
    import polyopt

    numbers = [int(text) for text in texts]
    program = polyopt.compile(source, options)
    arrays = _arrays(program, numbers)
    expected = [array.copy() for array in arrays]
    _call_by_gcc(source, numbers, expected)
    first = _call(program, numbers, arrays)
    others = 0
    for _ in range(int(runs) - 1):
        found = _call(program, numbers, arrays)
        others += any(a.tobytes() != b.tobytes() for a, b in zip(first, found, strict=True))
    off = [np.abs(a - b.astype(float)) for a, b in zip(first, expected, strict=True)]
    by = max(float(o.max() / max(1.0, np.abs(e).max())) for o, e in zip(off, expected, strict=True))
    remarks = [one.message for one in program.remarks if one.id == "affine-parallelize"]
    elements = sum(int(np.count_nonzero(one)) for one in off)
    print(json.dumps({"others": others, "off": elements, "by": by, "remarks": remarks}))


def _arrays(program: object, numbers: Sequence[int]) -> list[Array]:
    """Small integers in every argument that is an array; in parts of 64 where they are numbers."""
    random = np.random.default_rng(1)
    names = "nmpq"[: len(numbers)]
    sizes = dict(zip(names, numbers, strict=True))
    made: list[Array] = []
    for kind, shape in _array_arguments(Path(sys.argv[1]).read_text(encoding="utf-8")):
        extents = [sizes[one] if one in sizes else int(one) for one in shape]
        drawn = random.integers(-99, 99, extents)
        made.append(drawn.astype(np.int32) if kind == "int" else drawn / 64.0)
    return made


def _array_arguments(text: str) -> list[tuple[str, list[str]]]:
    """Of `f`: the element's type and the extents, as they are written."""
    import re

    arguments = re.findall(r"\bf\((.*?)\)\s*\{", text, re.DOTALL)[0].split(",")
    return [
        ("int" if " int " in f" {one} " else "double", re.findall(r"\[(\w+)\]", one))
        for one in arguments
        if "[" in one
    ]


def _call(program: object, numbers: Sequence[int], arrays: Sequence[Array]) -> list[Array]:
    given = [array.copy() for array in arrays]
    program.f(*numbers, *given)  # pyright: ignore
    return given


def _call_by_gcc(source: str, numbers: Sequence[int], arrays: Sequence[Array]) -> None:
    with TemporaryDirectory() as folder:
        library = f"{folder}/f.so"
        flags = ("-O0", "-ffp-contract=off", "-shared", "-fPIC")
        subprocess.run(["gcc", *flags, source, "-o", library], check=True)
        function = ctypes.CDLL(library).f
        function(*numbers, *(ctypes.c_void_p(array.ctypes.data) for array in arrays))


if __name__ == "__main__":
    _main(*sys.argv[1:])
