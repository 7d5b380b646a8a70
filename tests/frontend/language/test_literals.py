"""Literals have the values and types that C gives them (C 6.4.4, 6.4.5)."""

from __future__ import annotations

import math

import pytest

from polyopt.frontend.language.c_types import INT
from polyopt.frontend.language.literals import (
    BadLiteral,
    parse_character,
    parse_float,
    parse_integer,
    parse_string,
)


@pytest.mark.parametrize(
    ("text", "value", "type"),
    [
        ("0", 0, "int"),
        ("2147483647", 2**31 - 1, "int"),
        ("2147483648", 2**31, "long"),
        ("0x7fffffff", 2**31 - 1, "int"),
        ("0x80000000", 2**31, "unsigned int"),
        ("0xffffffff", 2**32 - 1, "unsigned int"),
        ("4294967296", 2**32, "long"),
        ("037777777777", 2**32 - 1, "unsigned int"),
        ("0xffffffffffffffff", 2**64 - 1, "unsigned long"),
        ("5u", 5, "unsigned int"),
        ("4294967296u", 2**32, "unsigned long"),
        ("5L", 5, "long"),
        ("5ul", 5, "unsigned long"),
        ("5LLU", 5, "unsigned long long"),
        ("5ll", 5, "long long"),
        ("0b1011", 11, "int"),
        ("017", 15, "int"),
        ("1'000'000", 10**6, "int"),
    ],
)
def test_integer(text: str, value: int, type: str) -> None:
    found, found_type = parse_integer(text)
    assert (found, found_type.name) == (value, type)


@pytest.mark.parametrize(
    ("text", "value", "type"),
    [
        ("1.5", 1.5, "double"),
        (".5", 0.5, "double"),
        ("2.", 2.0, "double"),
        ("1e3", 1000.0, "double"),
        ("0x1.8p1", 3.0, "double"),
        ("0x.8p0f", 0.5, "float"),
        ("0x1fp0", 31.0, "double"),
        ("1e40f", math.inf, "float"),
        ("0.1f", 13421773 / 2**27, "float"),
        # Just above the middle of two singles: rounding to double first would lose it.
        ("1.000000178813934326171875001f", 1 + 2**-22, "float"),
        ("1.000000178813934326171874999f", 1 + 2**-23, "float"),
    ],
)
def test_float(text: str, value: float, type: str) -> None:
    found, found_type = parse_float(text)
    assert (found, found_type.name) == (value, type)


@pytest.mark.parametrize(
    ("text", "value"),
    [("'a'", 97), (r"'\n'", 10), (r"'\0'", 0), (r"'\377'", -1), (r"'\x7f'", 127), ("'ab'", 24930)],
)
def test_character(text: str, value: int) -> None:
    assert parse_character(text) == (value, INT)


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('"abc"', b"abc\0"),
        ('""', b"\0"),
        (r'"a\tb\"c"', b'a\tb"c\0'),
        (r'"\1" "23"', b"\x0123\0"),
        (r'"\1234"', b"S4\0"),
        ('"é"', "é".encode() + b"\0"),
        (r'"\u00e9"', "é".encode() + b"\0"),
        ('u8"x" "y"', b"xy\0"),
        (r'"\q"', b"q\0"),
    ],
)
def test_string(text: str, data: bytes) -> None:
    assert parse_string(text) == data


@pytest.mark.parametrize("text", ['L"a"', r'"\x100"'])
def test_bad_string(text: str) -> None:
    with pytest.raises(BadLiteral):
        parse_string(text)
