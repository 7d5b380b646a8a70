"""Stores of lanes of a vector that are side by side, as LLVM knows, are stores of parts.

    call void @llvm.masked.store.v4f64.p0(     =>   a = shufflevector v, poison, <2 x i32> <0, 1>
        <4 x double> v, ptr align 8 p,              store <2 x double> a, ptr p, align 8
        <4 x i1> <true, true, true, false>)         b = extractelement <4 x double> v, i64 2
                                                    store double b, ptr p + 16, align 8

Where there are no mask registers, a store under a mask is several operations, and what it stores
is not there for loads that come soon. Zen 4 with AVX2, cycles each: 6.2 for three of four doubles
and 12 for seven of eight floats under a mask, 2.3 and 3.2 in parts; 3 x 3 products 20 and 9, of
which LLVM's own straight code takes 10. The first lanes are what is left over of a row, the last
ones what comes before the first whole line.

Lanes with others between them are stored in parts where cores store under masks lane by lane: Zen 3
takes 18 cycles for any of these stores, and triangles of small matrices are written by such.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from math import gcd

from polyopt.backend.around_llvm.single_lanes import arguments_of, place_of

_FUNCTION = re.compile(r"llvm\.masked\.store\.v\d+[fi](?:32|64)\.p0")
_STORE = re.compile(
    r"(?m)^( +)(?:tail )?call void @llvm\.masked\.store\.v(\d+)([fi])(32|64)\.p0\("
    r"(.*<\d+ x i1> <i1 .*)$"
)
_FLOATS = {"32": "float", "64": "double"}


def has_masked_stores(functions: Iterable[str]) -> bool:
    """Whether any of the functions by these names stores words or long words under a mask."""
    return any(_FUNCTION.fullmatch(name) for name in functions)


def with_store_parts(text: str, *, with_holes: bool = False) -> str:
    """The module, as LLVM prints it, without stores under a mask of which lanes side by side are
    known to be set, and no other; `with_holes`: or any lanes; the same text where there are
    none."""
    count = 0

    def stored(found: re.Match[str]) -> str:
        nonlocal count
        indent, lanes, kind, bits, rest = found.groups()
        (value, place, mask), facts = arguments_of(rest)
        runs = _runs(re.findall(r"i1 (\w+)", mask), int(lanes))
        if not runs or (len(runs) > 1 and not with_holes):
            return found[0]
        count += 1
        pointer, align = place_of(place)
        element = _FLOATS[bits] if kind == "f" else f"i{bits}"
        made: list[str] = []
        for start, size in (part for run in runs for part in _parts(*run)):
            name, offset = f"%stored.part.{count}.{start}", start * int(bits) // 8
            made.append(f"{name} = {_part(value, start, size)}")
            address = pointer
            if start:
                address = f"%stored.place.{count}.{start}"
                made.append(f"{address} = getelementptr i8, ptr {pointer}, i64 {offset}")
            type_ = element if size == 1 else f"<{size} x {element}>"
            aligned = gcd(align, offset)
            made.append(f"store {type_} {name}, ptr {address}, align {aligned}{facts}")
        return "\n".join(indent + line for line in made)

    return _STORE.sub(stored, text)


def _runs(chosen: list[str], lanes: int) -> list[tuple[int, int]]:
    """The first of lanes side by side that are set, and the one behind the last; none where not all
    are known."""
    if len(chosen) != lanes or not {"true", "false"}.issuperset(chosen):
        return []
    runs = list[tuple[int, int]]()
    for is_set, group in groupby(range(lanes), lambda lane: chosen[lane] == "true"):
        places = list(group)
        if is_set:
            runs.append((places[0], places[-1] + 1))
    return runs


def _parts(start: int, stop: int) -> list[tuple[int, int]]:
    """First lanes and sizes: the longest powers of two that lie as in a vector of so many."""
    parts = list[tuple[int, int]]()
    while start < stop:
        size = 1 << (stop - start).bit_length() - 1
        if start:
            size = min(size, start & -start)
        parts.append((start, size))
        start += size
    return parts


def _part(value: str, start: int, size: int) -> str:
    if size == 1:
        return f"extractelement {value}, i64 {start}"
    type_, lanes = value[: value.index(">") + 1], range(start, start + size)
    order = ", ".join(f"i32 {lane}" for lane in lanes)
    return f"shufflevector {value}, {type_} poison, <{size} x i32> <{order}>"
