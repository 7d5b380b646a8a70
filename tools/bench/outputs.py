"""What a kernel program prints, and when two printings are the same result.

With `-d` a program prints every element (`Dump`), else a summary of each result (`Summary`);
`benchmarks/kernels/bench.h` is the other side of this contract.

Exact results are equal bit for bit. Results of `-ffast-math` are equal within a tolerance:
|actual - expected| <= tolerance * max(|expected|, root mean square of the result). A result may
be ill-conditioned: two correct roundings of the same arithmetic differ widely in some elements
(the trailing columns of a QR decomposition of a rank-deficient matrix are noise). Given a second
reference computed with another rounding, the elements in which the two references disagree are
left out of the comparison.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from itertools import islice
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from polyopt.support.diagnostics import CompileError
from polyopt.support.record import entity, record

Values: TypeAlias = NDArray[np.float64]

TOLERANCE = {"double": 1e-9, "float": 1e-4, "int": 0.0}


@record
class Result:
    """One array of a dump: the text of each element, as printed."""

    name: str
    type: str
    texts: tuple[str, ...]

    def values(self) -> Values:
        if self.type == "int":
            return np.array([int(text) for text in self.texts], dtype=np.float64)
        return np.array([float.fromhex(text) for text in self.texts], dtype=np.float64)


@record
class Sums:
    """One array of a summary: the sum of absolute values, the same weighted by place, and a hash
    of the bits."""

    name: str
    type: str
    count: int
    sum: float
    weighted: float
    hash: str


@record
class Output:
    """What one run printed; `clock` and `processor` are seconds where it was asked for."""

    results: tuple[Result, ...] = ()
    sums: tuple[Sums, ...] = ()
    clock: float | None = None
    processor: float | None = None


@entity
class _Reading:
    results: list[Result] = field(default_factory=list[Result])
    sums: list[Sums] = field(default_factory=list[Sums])
    clock: float | None = None
    processor: float | None = None


def read_output(text: str) -> Output:
    """The output of a kernel program; a malformed one (a program that broke off) is an error."""
    lines = iter(text.splitlines())
    reading = _Reading()
    for line in lines:
        try:
            _read_line(line, lines, reading)
        except ValueError as error:
            raise CompileError(f"unexpected line in the output: {line!r}") from error
    return Output(tuple(reading.results), tuple(reading.sums), reading.clock, reading.processor)


def _read_line(line: str, following: Iterator[str], reading: _Reading) -> None:
    match line.split():
        case ["seconds", clock, processor]:
            reading.clock, reading.processor = float(clock), float(processor)
        case [name, kind, count]:
            texts = tuple(islice(following, int(count)))
            if len(texts) != int(count):
                raise CompileError(f"the output ends within the result '{name}'")
            reading.results.append(Result(name, kind, texts))
        case [name, kind, count, total, weighted, digest]:
            sums = Sums(name, kind, int(count), float(total), float(weighted), digest)
            reading.sums.append(sums)
        case _:
            raise ValueError(line)


def difference(
    expected: Output, actual: Output, *, exact: bool, second: Output | None = None
) -> str | None:
    """Why the two are not the same result, or None. `second` is the other rounding."""
    if [(r.name, r.type, len(r.texts)) for r in expected.results] != [
        (r.name, r.type, len(r.texts)) for r in actual.results
    ]:
        return "other arrays than expected"
    if [(s.name, s.type, s.count) for s in expected.sums] != [
        (s.name, s.type, s.count) for s in actual.sums
    ]:
        return "other arrays than expected"
    others = second.results if second else (None,) * len(expected.results)
    for reference, result, other in zip(expected.results, actual.results, others, strict=True):
        if exact:
            reason = _exact_difference(reference, result)
        else:
            reason = _numeric_difference(reference, result, other)
        if reason:
            return reason
    rounded = second.sums if second else (None,) * len(expected.sums)
    for sums, got, other in zip(expected.sums, actual.sums, rounded, strict=True):
        if reason := _sums_difference(sums, got, other, exact=exact):
            return reason
    return None


def ill_conditioned(expected: Output, second: Output) -> int:
    """The number of elements in which the two references disagree."""
    return sum(
        int(np.count_nonzero(~_agreeing(a, b.values())))
        for a, b in zip(expected.results, second.results, strict=True)
    )


def _exact_difference(expected: Result, actual: Result) -> str | None:
    for place, (want, got) in enumerate(zip(expected.texts, actual.texts, strict=True)):
        # The sign and the payload of a NaN are not part of the value.
        if want != got and not ("nan" in want and "nan" in got):
            return f"{expected.name}[{place}] is {_show(got)}, not {_show(want)}"
    return None


def _numeric_difference(expected: Result, actual: Result, second: Result | None) -> str | None:
    want, got = expected.values(), actual.values()
    scale = _scale(want)
    wrong = ~(np.abs(got - want) <= TOLERANCE[expected.type] * scale)
    wrong &= ~(np.isnan(want) & np.isnan(got)) & (want != got)
    if second is not None:
        wrong &= _agreeing(expected, second.values())
    if not wrong.any():
        return None
    errors = np.where(wrong, np.abs(got - want) / scale, 0.0)
    place = int(np.nanargmax(errors)) if not np.isnan(errors).all() else int(np.argmax(wrong))
    return (
        f"{expected.name}[{place}] is {got[place]:.17g}, not {want[place]:.17g} "
        f"({np.count_nonzero(wrong)} of {len(want)} elements differ)"
    )


def _scale(values: Values) -> Values:
    """The size against which the error of each element is measured."""
    finite = values[np.isfinite(values)]
    mean_square = float(np.sqrt(np.mean(np.square(finite)))) if len(finite) else 0.0
    return np.maximum(np.maximum(np.abs(values), mean_square), np.finfo(np.float64).tiny)


def _agreeing(expected: Result, second: Values) -> NDArray[np.bool_]:
    """Where two roundings agree to a tenth of the tolerance: what any compiler must meet."""
    want = expected.values()
    close = np.abs(second - want) <= 0.1 * TOLERANCE[expected.type] * _scale(want)
    return close | (np.isnan(want) & np.isnan(second))


def _sums_difference(
    expected: Sums, actual: Sums, second: Sums | None, *, exact: bool
) -> str | None:
    if exact:
        same = expected.hash == actual.hash
        return None if same else f"{expected.name} has other bits than the reference"
    for label in ("sum", "weighted"):
        want: float = getattr(expected, label)
        got: float = getattr(actual, label)
        tolerance = TOLERANCE[expected.type] * abs(want)
        if second is not None and abs(getattr(second, label) - want) > 0.1 * tolerance:
            continue
        if not abs(got - want) <= tolerance and not (np.isnan(want) and np.isnan(got)):
            return f"{expected.name}: {label} {got:.17g}, not {want:.17g}"
    return None


def _show(text: str) -> str:
    return f"{text} ({float.fromhex(text):.17g})" if "0x" in text else text
