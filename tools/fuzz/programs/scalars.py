"""C's arithmetic types on x86-64, as far as the programs use them.

promoted(short) == int, common(int, unsigned) == unsigned, common(long, float) == float
"""

from __future__ import annotations

from polyopt.support.record import record
from polyopt.tools.fuzz.programs.choices import Choices, table


@record
class Scalar:
    """`c` is the type's name in C, `code` its letter and size in NumPy."""

    c: str
    code: str
    bits: int
    signed: bool = True
    floating: bool = False

    @property
    def least(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def most(self) -> int:
        return (1 << (self.bits - 1)) - 1 if self.signed else (1 << self.bits) - 1

    @property
    def rank(self) -> int:
        return 64 + self.bits if self.floating else self.bits


CHAR = Scalar("char", "i1", 8)
SCHAR = Scalar("signed char", "i1", 8)
UCHAR = Scalar("unsigned char", "u1", 8, signed=False)
SHORT = Scalar("short", "i2", 16)
USHORT = Scalar("unsigned short", "u2", 16, signed=False)
INT = Scalar("int", "i4", 32)
UINT = Scalar("unsigned", "u4", 32, signed=False)
LONG = Scalar("long", "i8", 64)
ULONG = Scalar("unsigned long", "u8", 64, signed=False)
LLONG = Scalar("long long", "i8", 64)
FLOAT = Scalar("float", "f4", 32, floating=True)
DOUBLE = Scalar("double", "f8", 64, floating=True)

SCALARS = {
    one.c: one
    for one in (
        *(CHAR, SCHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, LLONG),
        *(FLOAT, DOUBLE),
    )
}

ELEMENTS = table(
    "type of elements",
    double=30,
    float=15,
    int=16,
    unsigned=6,
    long=5,
    unsigned_long=2,
    long_long=1,
    short=3,
    unsigned_short=2,
    signed_char=2,
    unsigned_char=4,
    char=1,
)
INTEGERS = [name for name, one in SCALARS.items() if not one.floating]
FLOATS = [name for name, one in SCALARS.items() if one.floating]


def draw_element(choices: Choices, kind: str = "any") -> Scalar:
    """`kind` is "any", "integer", "unsigned" or "float"."""
    among = {
        "any": None,
        "integer": INTEGERS,
        "unsigned": [name for name in INTEGERS if not SCALARS[name].signed],
        "float": FLOATS,
    }[kind]
    return SCALARS[choices.pick(ELEMENTS, among=among)]


def promoted(one: Scalar) -> Scalar:
    return INT if not one.floating and one.bits < 32 else one


def common(left: Scalar, right: Scalar) -> Scalar:
    """The usual arithmetic conversions (C11 6.3.1.8)."""
    a, b = promoted(left), promoted(right)
    if a.rank != b.rank:
        return a if a.rank > b.rank else b
    return b if a.signed else a
