"""Neighbours that a loop stores one by one are stored in pairs.

    loop:                                          loop:
      …  store double x, ptr p                       …
      …  q = getelementptr i8, ptr p, i64 8     =>   …
      …  store double y, ptr q                       v = [x, y]    store <2 x double> v, ptr p

A core brings about one store in a cycle to its cache, but decodes, adds and multiplies six times as
many operations; two doubles become a vector by one of them, which takes the place of a store. LLVM
counts the store alone as what is spared, and vectors only where what is stored comes in vectors.
(Ten members of rows of 25 doubles, each the difference of the one before: 3.4 to 2.9 ns for a row
in the first cache, 4.9 to 3.5 in the second; as gcc does, eight at once, 3.5 and 3.7. Pairs of
floats were slower.)

The earlier store moves down to the later one: nothing between them touches its bytes. It waits for
the later value, so nothing in the loop may wait for it: of the object no rows are read but those
that are stored, and nothing of a pair once it is stored.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from polyopt.backend.around_llvm.llvm_text import NAME, with_functions
from polyopt.backend.around_llvm.plain_counters import own_loops
from polyopt.support.core_model import CORE
from polyopt.support.record import record

_STORE = "  store double "
_BYTES = 8
_PLACE = re.compile(
    rf"(?m)^  ({NAME}) = getelementptr (?:inbounds |nuw |nusw )*([^\n]+?), ptr (\S+), (.*)$"
)
_NUMBER = re.compile(r"i64 (-?\d+)(?=,|$)")
_ACCESS = re.compile(
    rf"  (?:{NAME} = load|store) (?:<(\d+) x )?(i8|i16|i32|i64|float|double|ptr)>?"
    r"(?: [^\n]*?)?, ptr ([^\s,]+), align (\d+)(.*)"
)
_VALUE = re.compile(r"  store double (\S+), ptr ")
_SIZES = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "float": 4, "double": 8, "ptr": 8}
_OTHER_NAME = re.compile(r"(?m)^@[^\n]* alias ")
_PURE = re.compile(
    r"@llvm\.(?:fma|fmuladd|sqrt|fabs|copysign|(?:max|min)(?:num|imum)|[su](?:max|min)|abs)\."
)
_FREE = re.compile(rf"  (?:{NAME} = (?:getelementptr|phi|load)|br) ")


@record
class _Access:
    line: int
    base: str
    """What its address is a known number of bytes behind."""
    offset: int
    size: int
    is_store: bool
    value: str | None
    """Of a store of a double."""
    pointer: str
    align: str
    rest: str

    def touches(self, begin: int, end: int) -> bool:
        return self.offset < end and begin < self.offset + self.size


Pair = tuple[_Access, _Access]
"""The lower one and the higher one."""


def with_paired_stores(text: str) -> str:
    """The module, as LLVM prints it, with such pairs; the same text where there are none."""
    if text.count(_STORE) < 2 * CORE.code.store_pairs or _OTHER_NAME.search(text):
        return text
    return with_functions(text, _with_pairs)


def _with_pairs(function: str) -> str:
    if function.count(_STORE) < 2 * CORE.code.store_pairs:
        return function
    places = _Places(function)
    pieces: list[str] = []
    done = number = 0
    for begin, end, _ in own_loops(function):
        lines = function[begin:end].split("\n")
        pairs = _pairs(lines, places)
        if len(pairs) < CORE.code.store_pairs:
            continue
        for low, high in pairs:
            first, last = sorted((low.line, high.line))
            lines[last] = _stored_together(low, high, number)
            lines[first] = ""
            number += 1
        pieces += [function[done:begin], "\n".join(lines)]
        done = end
    return "".join([*pieces, function[done:]])


def _pairs(lines: list[str], places: _Places) -> list[Pair]:
    """Those of a loop in which stores are what takes the time."""
    stores = sum(1 for line in lines if line.startswith("  store "))
    work = sum(1 for line in lines if line.startswith("  ") and not _FREE.match(line))
    if stores < 2 * CORE.code.store_pairs or stores * CORE.code.operations_of_a_store < work:
        return []
    accesses = {n: access for n, line in enumerate(lines) if (access := places.access(n, line))}
    found = list[Pair]()
    by_base = defaultdict[str, dict[int, _Access]](dict)
    for one in accesses.values():
        if one.value is not None and "!nontemporal" not in one.rest:
            by_base[one.base].setdefault(one.offset, one)
    for base, stored in by_base.items():
        if places.reads_others(base, by_base, accesses.values()):
            continue
        taken = set[int]()
        for offset, low in sorted(stored.items()):
            high = stored.get(offset + _BYTES)
            if high is None or offset in taken or not _may_meet(low, high, lines, accesses, places):
                continue
            taken |= {offset, offset + _BYTES}
            found.append((low, high))
    return found


def _may_meet(
    low: _Access,
    high: _Access,
    lines: list[str],
    accesses: dict[int, _Access],
    places: _Places,
) -> bool:
    """Whether the earlier store may wait for the later one, and nothing waits for it."""
    first, last = sorted((low, high), key=lambda one: one.line)
    for n in range(first.line + 1, last.line):
        other = accesses.get(n)
        if other is None:
            if _may_access(lines[n]):
                return False
        elif other.base == first.base:
            if other.touches(first.offset, first.offset + _BYTES):
                return False
        elif not places.are_apart(other.base, first.base):
            return False
    return not any(
        one.line > last.line
        and one.base == last.base
        and one.touches(low.offset, low.offset + 2 * _BYTES)
        for one in accesses.values()
    )


def _may_access(line: str) -> bool:
    """Of a line that is no plain access."""
    if " call " in line:
        return _PURE.search(line) is None
    return bool(re.match(rf"  (?:{NAME} = )?(?:load|store|fence|atomicrmw|cmpxchg|invoke) ", line))


def _stored_together(low: _Access, high: _Access, number: int) -> str:
    name = f"%.pair.{number}"
    rest = low.rest if low.rest == high.rest else ""
    return (
        f"  {name}.low = insertelement <2 x double> poison, double {low.value}, i64 0\n"
        f"  {name} = insertelement <2 x double> {name}.low, double {high.value}, i64 1\n"
        f"  store <2 x double> {name}, ptr {low.pointer}, align {low.align}{rest}"
    )


class _Places:
    """The addresses of a function."""

    def __init__(self, function: str) -> None:
        self.steps = {name: (type_, of, by) for name, type_, of, by in _PLACE.findall(function)}

    def access(self, line: int, text: str) -> _Access | None:
        """Of a line that loads or stores, as all others may do it."""
        found = _ACCESS.fullmatch(text)
        if found is None:
            return None
        lanes, type_, pointer, align, rest = found.groups()
        base, offset = self._behind(pointer)
        value = None if lanes else _VALUE.match(text)
        size = int(lanes or 1) * _SIZES[type_]
        is_store = text.startswith("  store ")
        own = value[1] if value else None
        return _Access(line, base, offset, size, is_store, own, pointer, align, rest)

    def _behind(self, pointer: str) -> tuple[str, int]:
        """What the pointer is a known number of bytes behind, and how many."""
        offset = 0
        while pointer in self.steps:
            type_, of, by = self.steps[pointer]
            number = _NUMBER.match(by)
            if type_ != "i8" or number is None:
                break
            pointer, offset = of, offset + int(number[1])
        return pointer, offset

    def _object(self, pointer: str) -> str:
        while pointer in self.steps:
            pointer = self.steps[pointer][1]
        return pointer

    def are_apart(self, one: str, other: str) -> bool:
        """Are they addresses in two variables of the program?"""
        objects = {self._object(one), self._object(other)}
        return len(objects) == 2 and all(name.startswith("@") for name in objects)

    def reads_others(
        self, base: str, stored: dict[str, dict[int, _Access]], accesses: Iterable[_Access]
    ) -> bool:
        """Whether the object is read behind an address that nothing is stored behind."""
        own = self._object(base)
        return any(
            not one.is_store and one.base not in stored and self._object(one.base) == own
            for one in accesses
        )
