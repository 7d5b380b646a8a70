"""Integer arithmetic of arith and math against Python's unbounded integers."""

from collections.abc import Callable
from typing import Any

import pytest

Native = Callable[..., Any]
Compile = Callable[..., Native]


def signed(value: int, width: int) -> int:
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


def unsigned(value: int, width: int) -> int:
    return value & ((1 << width) - 1)


def edges(width: int) -> list[int]:
    top = 1 << (width - 1)
    return [0, 1, 2, 3, 7, -1, -2, -3, -7, 31, top - 1, top - 2, -top, -top + 1]


def truncated(a: int, b: int) -> int:
    """C's quotient: rounded towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def on_unsigned(op: Callable[[int, int], int]) -> Callable[[int, int, int], int]:
    return lambda a, b, w: op(unsigned(a, w), unsigned(b, w))


BINARY: dict[str, Callable[[int, int, int], int]] = {
    "addi": lambda a, b, w: a + b,
    "subi": lambda a, b, w: a - b,
    "muli": lambda a, b, w: a * b,
    "andi": lambda a, b, w: a & b,
    "ori": lambda a, b, w: a | b,
    "xori": lambda a, b, w: a ^ b,
    "minsi": lambda a, b, w: min(a, b),
    "maxsi": lambda a, b, w: max(a, b),
    "minui": on_unsigned(min),
    "maxui": on_unsigned(max),
}

DIVISION: dict[str, Callable[[int, int, int], int]] = {
    "divsi": lambda a, b, w: truncated(a, b),
    "remsi": lambda a, b, w: a - b * truncated(a, b),
    "floordivsi": lambda a, b, w: a // b,
    "ceildivsi": lambda a, b, w: -(-a // b),
    "divui": on_unsigned(lambda a, b: a // b),
    "remui": on_unsigned(lambda a, b: a % b),
    "ceildivui": on_unsigned(lambda a, b: -(-a // b)),
}

SHIFTS: dict[str, Callable[[int, int, int], int]] = {
    "shli": lambda a, b, w: a << b,
    "shrsi": lambda a, b, w: a >> b,
    "shrui": lambda a, b, w: unsigned(a, w) >> b,
}

COMPARISONS: dict[str, Callable[[int, int, int], bool]] = {
    "eq": lambda a, b, w: a == b,
    "ne": lambda a, b, w: a != b,
    "slt": lambda a, b, w: a < b,
    "sle": lambda a, b, w: a <= b,
    "sgt": lambda a, b, w: a > b,
    "sge": lambda a, b, w: a >= b,
    "ult": lambda a, b, w: unsigned(a, w) < unsigned(b, w),
    "ule": lambda a, b, w: unsigned(a, w) <= unsigned(b, w),
    "ugt": lambda a, b, w: unsigned(a, w) > unsigned(b, w),
    "uge": lambda a, b, w: unsigned(a, w) >= unsigned(b, w),
}


@pytest.mark.parametrize("width", [8, 32, 64])
@pytest.mark.parametrize("name", [*BINARY, *DIVISION, *SHIFTS])
def test_binary(call_body: Compile, name: str, width: int) -> None:
    f = call_body(
        f"%r = arith.{name} %0, %1 : i{width}", "%r", f"i{width}", f"i{width}", f"i{width}"
    )
    expected = (BINARY | DIVISION | SHIFTS)[name]
    for a in edges(width):
        for b in edges(width):
            if name in SHIFTS and not 0 <= b < width:
                continue
            overflows = a == -(1 << (width - 1)) and b == -1 and "ui" not in name
            if name in DIVISION and (b == 0 or overflows):
                continue
            assert f(a, b) == signed(expected(a, b, width), width), (a, b)


@pytest.mark.parametrize("width", [8, 32, 64])
@pytest.mark.parametrize("predicate", list(COMPARISONS))
def test_compare(call_body: Compile, predicate: str, width: int) -> None:
    f = call_body(
        f"%c = arith.cmpi {predicate}, %0, %1 : i{width}\n%r = arith.extui %c : i1 to i32",
        "%r",
        "i32",
        f"i{width}",
        f"i{width}",
    )
    for a in edges(width):
        for b in edges(width):
            assert f(a, b) == COMPARISONS[predicate](a, b, width), (a, b)


WIDTH_CHANGES: list[tuple[str, int, int, Callable[[int], int]]] = [
    ("extsi", 8, 32, lambda a: a),
    ("extui", 8, 32, lambda a: unsigned(a, 8)),
    ("extsi", 32, 64, lambda a: a),
    ("extui", 16, 64, lambda a: unsigned(a, 16)),
    ("trunci", 64, 8, lambda a: signed(a, 8)),
    ("trunci", 32, 16, lambda a: signed(a, 16)),
]


@pytest.mark.parametrize(("op", "source", "target", "expected"), WIDTH_CHANGES)
def test_width_changes(
    call_body: Compile, op: str, source: int, target: int, expected: Callable[[int], int]
) -> None:
    f = call_body(f"%r = arith.{op} %0 : i{source} to i{target}", "%r", f"i{target}", f"i{source}")
    for a in edges(source):
        assert f(a) == expected(a), a


def test_index_is_sign_extended_and_truncated(call_body: Compile) -> None:
    f = call_body(
        "%i = arith.index_cast %0 : i8 to index\n%r = arith.index_cast %i : index to i32",
        "%r",
        "i32",
        "i8",
    )
    assert [f(a) for a in (-128, -1, 0, 127)] == [-128, -1, 0, 127]
    low = call_body(
        "%i = arith.index_cast %0 : i64 to index\n%r = arith.index_cast %i : index to i8",
        "%r",
        "i8",
        "i64",
    )
    assert [low(a) for a in (0x1FF, 0x80)] == [-1, -128]


def test_add_with_carry(call_body: Compile) -> None:
    body = """
    %s, %c = arith.addui_extended %0, %1 : i32, i1
    %w = arith.extui %s : i32 to i64
    %k = arith.extui %c : i1 to i64
    %n = arith.constant 32 : i64
    %h = arith.shli %k, %n : i64
    %r = arith.ori %h, %w : i64
    """
    f = call_body(body, "%r", "i64", "i32", "i32")
    for a in edges(32):
        for b in edges(32):
            assert f(a, b) == unsigned(a, 32) + unsigned(b, 32)


@pytest.mark.parametrize(("op", "read"), [("mulsi", signed), ("mului", unsigned)])
def test_extended_product(call_body: Compile, op: str, read: Callable[[int, int], int]) -> None:
    f = call_body(f"%l, %r = arith.{op}_extended %0, %1 : i64", "%r", "i64", "i64", "i64")
    for a in edges(64):
        for b in edges(64):
            assert f(a, b) == signed(read(a, 64) * read(b, 64) >> 64, 64)


def test_bit_counts(call_body: Compile) -> None:
    counts: dict[str, Callable[[int], int]] = {
        "ctpop": lambda a: a.bit_count(),
        "ctlz": lambda a: 32 - a.bit_length(),
        "cttz": lambda a: 32 if a == 0 else (a & -a).bit_length() - 1,
    }
    for name, expected in counts.items():
        f = call_body(f"%r = math.{name} %0 : i32", "%r", "i32", "i32")
        for a in edges(32):
            assert f(a) == expected(unsigned(a, 32)), (name, a)


def test_absolute_value(call_body: Compile) -> None:
    f = call_body("%r = math.absi %0 : i32", "%r", "i32", "i32")
    assert [f(a) for a in (5, -5, 0, -(2**31))] == [5, 5, 0, -(2**31)]


@pytest.mark.parametrize("width", [32, 64])
def test_integer_power(call_body: Compile, width: int) -> None:
    t = f"i{width}"
    f = call_body(f"%r = math.ipowi %0, %1 : {t}", "%r", t, t, t)
    for base in (-3, -2, -1, 0, 1, 2, 3, 10):
        for power in range(0, 9):
            assert f(base, power) == signed(base**power, width), (base, power)
    # 1/base^n rounded towards zero.
    assert [f(1, -1), f(-1, -1), f(-1, -2), f(2, -1), f(-7, -3)] == [1, -1, 1, 0, 0]


def test_select(call_body: Compile) -> None:
    f = call_body(
        "%c = arith.cmpi slt, %0, %1 : i32\n%r = arith.select %c, %0, %1 : i32",
        "%r",
        "i32",
        "i32",
        "i32",
    )
    assert [f(3, 4), f(4, 3), f(-1, -1)] == [3, 3, -1]


def test_boolean_constants_and_logic(call_body: Compile) -> None:
    body = """
    %t = arith.constant true
    %c = arith.cmpi ne, %0, %1 : i32
    %x = arith.xori %c, %t : i1
    %r = arith.extsi %x : i1 to i32
    """
    f = call_body(body, "%r", "i32", "i32", "i32")
    assert [f(1, 1), f(1, 2)] == [-1, 0]


def test_maps_of_affine_between_other_operations(call_ir: Compile) -> None:
    """Division and remainder round to minus infinity, ceildiv to plus infinity."""
    f = call_ir(
        """
        func.func @f(%a : i64, %b : i64) -> i64 {
          %i = arith.index_cast %a : i64 to index
          %j = arith.index_cast %b : i64 to index
          %x = affine.apply affine_map<(d0)[s0] -> (d0 floordiv 3 + (d0 ceildiv 4) * 1000
            + (s0 mod 7) * 1000000)>(%i)[%j]
          %y = affine.min affine_map<(d0) -> (d0 - 5, 3)>(%i)
          %s = arith.addi %x, %y : index
          %r = arith.index_cast %s : index to i64
          func.return %r : i64
        }""",
        "i64",
        "i64",
        "i64",
    )
    for a in range(-9, 10):
        for b in (-8, -7, -1, 0, 6, 7):
            expected = a // 3 - (-a // 4) * 1000 + b % 7 * 1000000 + min(a - 5, 3)
            assert f(a, b) == expected
