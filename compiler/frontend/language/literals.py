"""The values of literals: numbers, characters and strings, with their types (C 6.4.4, 6.4.5)."""

from __future__ import annotations

import math
import re
import struct
from functools import lru_cache

from polyopt.frontend.language.c_types import (
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LDOUBLE,
    LLONG,
    LONG,
    UCHAR,
    UINT,
    ULLONG,
    ULONG,
    USHORT,
    FloatType,
    IntType,
)
from polyopt.frontend.language.extended import Number, parse_extended
from polyopt.support.charsets import UTF_8

_SIMPLE_ESCAPES = {
    "n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27,
    "\\": 92, "'": 39, '"': 34, "?": 63,
}  # fmt: skip
_ESCAPE = re.compile(
    r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]+)|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.S
)
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9']+)([uUlL]*)$")


class BadLiteral(Exception):
    """What is wrong with a literal, in words."""


@lru_cache(4096)
def parse_integer(text: str) -> tuple[int, IntType]:
    """The first type of C's list that holds the value (C 6.4.4.1)."""
    match = _NUMBER.match(text)
    if match is None:
        raise BadLiteral(f"invalid number '{text}'")
    digits, suffix = match.group(1).replace("'", ""), match.group(2).lower()
    is_decimal = not digits.startswith("0")
    if digits[:2].lower() == "0x":
        value = int(digits, 16)
    elif digits[:2].lower() == "0b":
        value = int(digits, 2)
    else:
        value = int(digits, 10 if is_decimal else 8)
    longs = suffix.count("l")
    if "u" in suffix:
        candidates = [UINT, ULONG, ULLONG]
    elif is_decimal:
        candidates = [INT, LONG, LLONG]
    else:
        candidates = [INT, UINT, LONG, ULONG, LLONG, ULLONG]
    for type in candidates:
        if type.rank >= INT.rank + longs and value <= type.maximum:
            return value, type
    if value <= ULLONG.maximum:
        return value, ULLONG
    raise BadLiteral(f"integer constant {text} is too large for its type")


_IMAGINARY = "iIjJ"
"""GNU C: a number with one of these among its suffixes is so much times the square root of -1."""


def is_imaginary(text: str) -> bool:
    return any(letter in _IMAGINARY for letter in text[-2:])


def parse_float(text: str) -> tuple[Number, FloatType]:
    """The value rounded to its type."""
    text = text.replace("'", "")
    is_hex = text[:2].lower() == "0x"
    if is_imaginary(text):
        text = "".join(letter for letter in text if letter not in _IMAGINARY)
    suffix = text[-1].lower()
    if suffix == "l":
        return parse_extended(text[:-1]), LDOUBLE
    is_float = suffix == "f" and (not is_hex or "p" in text.lower())
    digits = text[:-1] if is_float else text
    value = float.fromhex(digits) if is_hex else float(digits)
    if not is_float:
        return value, DOUBLE
    return (round_to_float(value) if is_hex else _decimal_to_float(digits)), FLOAT


def _decimal_to_float(digits: str) -> float:
    """The single nearest to a decimal number. To round to double first is wrong only where the
    double lies in the middle of two singles and is not the number itself."""
    value = float(digits)
    single = round_to_float(value)
    if single == value or math.isinf(single):
        return single
    other = _neighbour(single, toward=value)
    if value - single != other - value:
        return single
    from fractions import Fraction  # seldom needed

    exact, middle = Fraction(digits), Fraction(value)
    if exact == middle:
        return single
    return max(single, other) if exact > middle else min(single, other)


def _neighbour(single: float, toward: float) -> float:
    """The next single in the direction of a value that is not this one."""
    (bits,) = struct.unpack("<i", struct.pack("<f", single))
    if single == 0:
        bits = 1 if toward > 0 else -(1 << 31) + 1
    else:
        bits += 1 if (toward > single) == (single > 0) else -1
    return struct.unpack("<f", struct.pack("<i", bits))[0]


def round_to_float(value: float) -> float:
    """The nearest single-precision value."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


_UNITS: dict[str, IntType] = {"": CHAR, "u8": CHAR, "L": INT, "u": USHORT, "U": UINT}
"""The element type of a string by its prefix."""


def parse_character(text: str, *, signed: bool = True, charset: str = UTF_8) -> tuple[int, IntType]:
    """The value of a character constant and its type; 'ab' counts as GNU C does. `signed`: as a
    `char` is. `charset`: that of characters without a prefix."""
    prefix, _, body = text.partition("'")
    unit = _UNITS[prefix]
    values = _code_units(body[:-1], unit, charset if not prefix else UTF_8)
    if prefix:
        value = values[-1] if values else 0
        type = UCHAR if prefix == "u8" else unit
        return type.wrap(value), type
    value = 0
    for byte in values:
        value = (value << 8) | byte
    if len(values) == 1:
        return value - 256 if signed and value > 127 else value, INT
    return INT.wrap(value), INT


def parse_string(text: str) -> bytes:
    """The bytes of adjacent string literals of characters, with the terminating zero."""
    data, unit = parse_any_string(text)
    if unit != CHAR:
        raise BadLiteral("a wide string cannot stand here")
    return data


def parse_any_string(text: str, charset: str = UTF_8) -> tuple[bytes, IntType]:
    """The bytes of adjacent string literals with the terminating zero, and the type of an element:
    a prefix of one holds for all. `charset`: that of strings without one."""
    parts = re.findall(r'(\w*)"((?:[^"\\]|\\.)*)"', text, re.S)
    prefixes = {prefix for prefix, _ in parts if prefix}
    if len(prefixes) > 1:
        raise BadLiteral("strings of different prefixes cannot be joined")
    charset = charset if not prefixes else UTF_8
    unit = _UNITS[prefixes.pop()] if prefixes else CHAR
    units = [value for _, body in parts for value in _code_units(body, unit, charset)]
    return b"".join(value.to_bytes(unit.size, "little") for value in [*units, 0]), unit


def _code_units(body: str, unit: IntType, charset: str) -> list[int]:
    """The elements that the text between the quotes stands for."""
    out: list[int] = []
    position = 0
    for match in _ESCAPE.finditer(body) if "\\" in body else ():
        out += _encoded(body[position : match.start()], unit, charset)
        position = match.end()
        octal, hexadecimal, short, long, simple = match.groups()
        if octal or hexadecimal:
            value = int(octal, 8) if octal else int(hexadecimal, 16)
            if value >= 1 << unit.bits:
                raise BadLiteral("escape sequence is out of range")
            out.append(value)
        elif short or long:
            out += _encoded(chr(int(short or long, 16)), unit, charset)
        elif simple in _SIMPLE_ESCAPES:
            out.append(_SIMPLE_ESCAPES[simple])
        else:
            out += _encoded(simple, unit, charset)
    return out + _encoded(body[position:], unit, charset)


def unknown_escapes(text: str) -> list[str]:
    """The escape sequences in a literal that C gives no meaning: they are the character alone."""
    found = _ESCAPE.finditer(text) if "\\" in text else ()
    simple = [match.group(5) for match in found if match.group(5)]
    return [f"\\{one}" for one in dict.fromkeys(simple) if one not in _SIMPLE_ESCAPES]


def _encoded(text: str, unit: IntType, charset: str) -> list[int]:
    """That charset, UTF-16 or UTF-32, by the size of an element."""
    if unit.size == 1:
        try:
            return list(text.encode(charset, "surrogateescape"))
        except UnicodeEncodeError as error:
            raise BadLiteral(f"'{text[error.start]}' is no character of {charset}") from None
    if unit.size == 4:
        return [ord(character) for character in text]
    data = text.encode("utf-16-le", "surrogatepass")
    return [int.from_bytes(data[i : i + 2], "little") for i in range(0, len(data), 2)]
