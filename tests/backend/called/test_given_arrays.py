"""Objects that are arrays without being NumPy's: their own memory is passed, or nothing is."""

from __future__ import annotations

import mmap
from array import array
from typing import Any

import numpy as np
import pytest

import polyopt
from polyopt.backend.called.bind import CFunction
from polyopt.backend.called.given_arrays import array_of

SOURCE = """
void scale(int n, double a[n]) { for (int i = 0; i < n; i++) a[i] *= 2; }
int length(const char *s) { int n = 0; while (s[n]) n++; return n; }
void fill(int n, char s[n]) { for (int i = 0; i < n; i++) s[i] = 'x'; }
void divide(int a, int b, int *quotient, int *_Nullable remainder) {
    *quotient = a / b;
    if (remainder) *remainder = a % b;
}
void grow(unsigned char *count, double *sum) { *count += 1; *sum += 0.5; }
double first(const double *p) { return *p; }
"""


def as_any(value: Any) -> Any:
    return value


class Interface:
    """What says where its memory is, as many libraries' arrays do."""

    def __init__(self, values: Any, **changes: Any):
        self.values = values
        self.__array_interface__ = {**values.__array_interface__, **changes}


class Exchanged:
    """What knows DLPack only, as PyTorch's tensors do."""

    def __init__(self, values: Any, reason: str = ""):
        self.values, self.reason = values, reason

    def __dlpack__(self, **words: Any) -> Any:
        if self.reason:
            raise BufferError(self.reason)
        return self.values.__dlpack__(**words)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.values.__dlpack_device__()


@pytest.fixture(scope="module")
def program() -> polyopt.Program:
    return polyopt.compile(SOURCE, "-O1")


def objects() -> list[tuple[str, Any, Any]]:
    """What it is, the object, and an array of the same memory."""
    values: Any = np.arange(4.0)
    typed = array("d", range(4))
    mapped = mmap.mmap(-1, 32)
    shared = np.arange(4.0)
    exchanged = np.arange(4.0)
    raw = bytearray(np.arange(4.0).tobytes())
    return [
        ("array.array", typed, np.asarray(typed)),
        ("memoryview", memoryview(values), values),
        ("cast memoryview", memoryview(raw).cast("d"), np.frombuffer(raw)),
        ("mmap", memoryview(mapped).cast("d"), np.frombuffer(mapped)),
        ("interface", Interface(shared), shared),
        ("dlpack", Exchanged(exchanged), exchanged),
    ]


@pytest.mark.parametrize(("what", "given", "memory"), objects())
def test_the_memory_itself_is_passed(
    program: polyopt.Program, what: str, given: Any, memory: Any
) -> None:
    expected = memory * 2
    try:
        program.scale(4, given)
    except ValueError as error:
        # Older versions of NumPy take DLPack's memory only to be read.
        if what != "dlpack" or "read-only" not in str(error):
            raise
        return
    assert memory.tolist() == expected.tolist()


def test_what_does_not_fit_is_said_of_the_object(program: polyopt.Program) -> None:
    def error(name: str, *arguments: Any) -> str:
        with pytest.raises((TypeError, ValueError)) as found:
            program[name](*arguments)
        return str(found.value).partition("): ")[2]

    wanted, four = "expected a NumPy array of float64, got ", as_any(np.arange(4.0))
    assert error("scale", 4, array("f", range(4))) == f"{wanted}array of float32"
    assert error("scale", 4, bytearray(32)) == f"{wanted}bytearray of uint8"
    assert error("scale", 4, [1.0] * 4) == f"{wanted}list; numpy.array(…, 'float64') makes one"
    masked = np.ma.masked_greater(np.arange(4.0), 2.0)
    assert "some elements are masked" in error("scale", 4, masked)
    assert "1 dimension," in error("scale", 4, np.ones((2, 2)))
    assert error("scale", 4, np.float64) == f"{wanted}type"
    assert error("scale", 3, array("d", range(4))) == "expected the shape (3,), got (4,)"
    assert "not C-contiguous" in error("scale", 2, memoryview(four)[::2])
    assert "read-only" in error("scale", 4, memoryview(four).toreadonly())
    moved = Exchanged(np.arange(4.0), "it is on a GPU")
    reason = "Exchanged, which does not give its memory: it is on a GPU"
    assert error("scale", 4, moved) == wanted + reason
    broken = Interface(np.arange(4.0), typestr="nonsense")
    assert "which does not give its memory: " in error("scale", 4, broken)
    assert error("length", "text").endswith("got str; text.encode() gives bytes")


def test_text(program: polyopt.Program) -> None:
    for text in (b"four", bytearray(b"four"), memoryview(b"four\0"), array("b", b"four\0")):
        assert program.length(text) == 4
    buffer = bytearray(3)
    program.fill(3, buffer)
    assert buffer == b"xxx"
    with pytest.raises(ValueError, match="read-only"):
        program.fill(3, b"abc")


def test_places_for_results(program: polyopt.Program) -> None:
    quotient, remainder = polyopt.out(), polyopt.out()
    assert quotient.value is None
    program.divide(17, 5, quotient, remainder)
    assert (quotient.value, remainder.value) == (3, 2)
    program.divide(18, 4, quotient, None)
    assert repr(quotient) == "out(4)"
    count, total = polyopt.out(254), polyopt.out(1)
    program.grow(count, total)
    assert (count.value, total.value) == (255, 1.5)
    total.value = 7
    program.grow(count, total)
    assert (count.value, total.value) == (0, 7.5)
    cell = np.array(3)
    with pytest.raises(TypeError, match="array of int32"):
        program.divide(1, 1, cell, None)
    program.divide(9, 2, cell.astype("i4"), None)


WRONG_PLACES = [
    ("grow", [polyopt.out(256), polyopt.out()], ValueError, "256"),
    ("grow", [polyopt.out(1.5), polyopt.out()], ValueError, "1.5 is no uint8"),
    ("grow", [polyopt.out("1"), polyopt.out()], ValueError, "'1' is no uint8"),
    ("grow", [polyopt.out([1, 2]), polyopt.out()], ValueError, "is no uint8"),
    ("first", [polyopt.out()], TypeError, "got Out"),
    ("scale", [1, polyopt.out()], TypeError, "got Out"),
]


@pytest.mark.parametrize(("name", "arguments", "kind", "message"), WRONG_PLACES)
def test_places_that_do_not_fit(
    program: polyopt.Program, name: str, arguments: list[Any], kind: Any, message: str
) -> None:
    with pytest.raises(kind, match=message):
        program[name](*arguments)


def test_a_view_is_held_as_long_as_the_call(program: polyopt.Program) -> None:
    """Both ways: what could be resized meanwhile is locked, and free again behind the call."""
    for function in (program.scale, CFunction(program.scale.signature, _code(program.scale))):
        values = array("d", [1.0])
        function(1, values)
        values.append(2.0)
        assert values.tolist() == [2.0, 2.0]


def _code(function: CFunction) -> Any:
    return function._code  # pyright: ignore[reportPrivateUsage]


def test_what_is_no_array() -> None:
    values: list[Any] = [None, 3, 1.5, "text", [1.0], (), {}, object(), np.ndarray, int]
    for value in values:
        assert array_of(value) is None


@pytest.mark.parametrize("member", ["a", "b"])
def test_records_with_a_masked_member(member: str):
    """A mask of records has a member for each of theirs."""
    records = np.zeros(3, dtype=[("a", "f8"), ("b", "i4")])
    mask = np.zeros(3, dtype=[("a", "?"), ("b", "?")])
    whole: Any = np.ma.array(records, mask=mask)
    assert array_of(whole) is whole
    mask[member][1] = True
    with pytest.raises(BufferError, match="masked"):
        array_of(np.ma.array(records, mask=mask))


class Shown:
    """What shows itself as an array, as columns of pandas do; or would have to copy."""

    def __init__(self, values: Any, *, copies: bool = False):
        self.values, self.copies = values, copies

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if self.copies and copy is False:
            raise ValueError("cannot be shown without a copy")
        return self.values.copy() if self.copies else self.values


class ShownAsOfOld:
    """By an `__array__` that knows nothing of copies: nobody can say whether it makes one."""

    def __array__(self) -> Any:
        return np.arange(4.0)


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
def test_what_shows_itself_as_an_array_is_read_and_not_written(program: polyopt.Program):
    values = np.arange(4.0) + 7
    assert program.first(Shown(values)) == 7.0
    assert values.flags.writeable
    with pytest.raises(ValueError, match="the array is read-only, and the function may write"):
        program.scale(4, Shown(values))
    for other in (Shown(values, copies=True), ShownAsOfOld()):
        with pytest.raises(TypeError, match=r"NumPy has to copy it, as numpy\.asarray does$"):
            program.first(as_any(other))


def test_columns_of_pandas(program: polyopt.Program):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": np.arange(4.0) + 3, "b": range(4)})
    assert program.first(frame["a"]) == 3.0
    with pytest.raises(TypeError, match="got an array of int64"):
        program.first(frame["b"])
    with pytest.raises(TypeError, match="got DataFrame, which does not give its memory"):
        program.first(frame)


OTHER_KINDS = """#include <complex.h>
#include <stdbool.h>
float first(int n, const float complex z[n]) { return crealf(z[0]); }
int any(int n, const bool m[n]) { return m[0]; }
"""


@pytest.mark.parametrize(
    ("name", "given", "wanted"),
    [("first", "c16", "complex64"), ("first", "f8", "complex64"), ("any", "u1", "bool")],
)
def test_what_makes_numbers_of_another_kind(name: str, given: str, wanted: str):
    with pytest.raises(TypeError, match=rf"got an array of \w+; astype\('{wanted}'\) makes one$"):
        polyopt.compile(OTHER_KINDS, "-O1")[name](2, np.ones(2, given))
