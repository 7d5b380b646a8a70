"""What is right: the program as the system's compiler makes it without optimisation.

With fast mathematics another order of operations gives other last bits. How much they may matter
is measured: the reference runs once more in each of the other rounding modes, and what they
differ by (`spread`) is how sensitive an element is to rounding. The stated bound of an element is
64 times its spread plus 2^10 units in the last place of the greatest value in its array. A program
whose integers change with the rounding mode, or whose results are not finite, decides on data that
rounding decides on; it is not compared then (`None`).
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record
from polyopt.tools.fuzz.programs.program import Program
from polyopt.tools.fuzz.trials.harness import GUARD, Harness, Memory, Values, columns

FLAGS = ("-O0", "-ffp-contract=off", "-fno-strict-aliasing", "-fno-builtin", "-w")
"""Without what the compiler knows of the library: gcc rounds `cbrt(cbrt(8))` better than libm."""
ROUNDINGS = (0x400, 0x800, 0xC00)
"""Downward, upward, toward zero: x86's values of <fenv.h>."""
SPREADS = 64
UNITS = 1 << 10


@record
class Difference:
    """The first element that is not as it should be."""

    run: int
    array: str
    element: int
    expected: str
    found: str
    count: int = 1

    def __str__(self) -> str:
        more = f" and {self.count - 1} more" if self.count > 1 else ""
        return (
            f"run {self.run}: {self.array}[{self.element}] is {self.found}, "
            f"not {self.expected}{more}"
        )


def system_compiler() -> str:
    for name in ("gcc", "cc"):
        if shutil.which(name):
            return name
    raise CompileError("there is no gcc or cc to compare with")


def build(text: str, folder: Path, flags: Sequence[str] = FLAGS) -> Path:
    """A shared library of the C text."""
    source, library = folder / "reference.c", folder / "reference.so"
    source.write_text(text, encoding="utf-8")
    command = [system_compiler(), *flags, "-shared", "-fPIC", "-Wl,-Bsymbolic", str(source)]
    made = subprocess.run(
        [*command, "-o", str(library), "-lm"], capture_output=True, text=True, check=False
    )
    if made.returncode:
        raise CompileError(f"the system's compiler refuses the program:\n{made.stderr}")
    return library


def results(program: Program, library: Path, *, spread: bool) -> list[list[Memory]]:
    """For each run what the buffers hold, with `spread` in each rounding mode, nearest first."""
    code = ctypes.CDLL(str(library))
    harness = Harness(program)

    def find(name: str) -> int:
        address = ctypes.cast(getattr(code, name), ctypes.c_void_p).value
        assert address is not None
        return address

    libm = ctypes.CDLL("libm.so.6")
    found = list[list[Memory]]()
    for number in range(len(program.runs)):
        memories = [harness.run(find, number)]
        for mode in ROUNDINGS if spread else ():
            libm.fesetround(mode)
            try:
                memories.append(harness.run(find, number))
            finally:
                libm.fesetround(0)
        found.append(memories)
    return found


def compare(number: int, expected: Memory, found: Memory) -> Difference | None:
    """The first difference of a bit (but a NaN is a NaN)."""
    for name, values in expected.items():
        for (field, right), (_, own) in zip(columns(values), columns(found[name]), strict=True):
            same = _same(right, own)
            if not same.all():
                return _first(number, f"{name}.{field}" if field else name, right, own, ~same)
    return None


def _same(right: Values, own: Values) -> Values:
    if right.dtype.kind != "f":
        return right == own
    bits = f"u{right.dtype.itemsize}"
    equal = np.ascontiguousarray(right).view(bits) == np.ascontiguousarray(own).view(bits)
    return equal | (np.isnan(right) & np.isnan(own))


def _first(number: int, name: str, right: Values, own: Values, wrong: Values) -> Difference:
    flat = np.flatnonzero(wrong)
    place = int(flat[0])
    return Difference(
        number, name, place, str(right.ravel()[place]), str(own.ravel()[place]), len(flat)
    )


def compare_loosely(number: int, expected: Sequence[Memory], found: Memory) -> Difference | None:
    """The first element that is further off than its bound; see the head of this file."""
    nearest, *others = expected
    for name, values in nearest.items():
        for place, (field, right) in enumerate(columns(values)):
            own = columns(found[name])[place][1]
            label = f"{name}.{field}" if field else name
            if right.dtype.kind != "f":
                wrong = right != own
            else:
                spread = np.zeros(right.shape)
                for other in others:
                    spread = np.maximum(
                        spread, np.abs(columns(other[name])[place][1].astype(float) - right)
                    )
                top = float(np.abs(right[:-GUARD]).max(initial=0.0))
                bound = SPREADS * spread + UNITS * float(np.finfo(right.dtype).eps) * max(top, 1.0)
                wrong = ~(np.abs(own.astype(float) - right) <= bound)
            if wrong.any():
                return _first(number, label, right, own, wrong)
    return None


def is_stable(expected: Sequence[Memory]) -> bool:
    """Whether rounding decides nothing but last bits."""
    nearest, *others = expected
    for name, values in nearest.items():
        for place, (_, right) in enumerate(columns(values)):
            if right.dtype.kind == "f" and not np.isfinite(right).all():
                return False
            for other in others:
                again = columns(other[name])[place][1]
                if right.dtype.kind != "f":
                    if not (right == again).all():
                        return False
                elif not (np.abs(again.astype(float) - right) <= 1e-3 * np.abs(right) + 1e-3).all():
                    return False
    return True
