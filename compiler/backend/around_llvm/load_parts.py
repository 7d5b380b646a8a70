"""Loads of lanes of a vector that lie as a shorter vector, as LLVM knows, are loads of that one.

    v = call <4 x double>                      =>   a = load <2 x double>, ptr p, align 8
        @llvm.masked.load.v4f64.p0(                 v = shufflevector a, zeroinitializer,
        ptr align 8 p, <true, true, false,              <4 x i32> <0, 1, 2, 2>
        false>, zeroinitializer)

What such lanes were stored as is shorter, too (`store_parts.py`), and not there yet for a load that
goes beyond it, whatever its mask says: rows of ten doubles that are read again soon, as inverses of
five by five are, take 28 us with masks and 24 without (Zen 4 with AVX2).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from polyopt.backend.around_llvm.llvm_text import NAME
from polyopt.backend.around_llvm.single_lanes import arguments_of, place_of

_FUNCTION = re.compile(r"llvm\.masked\.load\.v\d+[fi](?:32|64)\.p0")
_LOAD = re.compile(
    rf"(?m)^( +)({NAME}) = (?:tail )?call [^@\n]*@llvm\.masked\.load\.v(\d+)([fi])(32|64)\.p0\("
    r"(.*<\d+ x i1> <i1 .*)$"
)
_FLOATS = {"32": "float", "64": "double"}
_OTHERS = ("zeroinitializer", "poison")
_CONSTANTS = re.compile(r"<(?:\w+ [^,<>]+(?:, )?)+>")
_ZERO = re.compile(r"\w+ (?:0|0\.0+e\+00|poison)")


def has_masked_loads(functions: Iterable[str]) -> bool:
    """Whether any of the functions by these names loads words or long words under a mask."""
    return any(_FUNCTION.fullmatch(name) for name in functions)


def with_load_parts(text: str) -> str:
    """The module, as LLVM prints it, without loads under a mask of which the first lanes, a power
    of two of them, are known to be set, and no other; the same text where there are none."""
    count = 0

    def loaded(found: re.Match[str]) -> str:
        nonlocal count
        indent, name, lanes, kind, bits, rest = found.groups()
        (place, mask, others), facts = arguments_of(rest)
        chosen = re.findall(r"i1 (\w+)", mask)
        size, other = chosen.count("true"), _same_in_all(others, chosen.count("true"))
        is_first = chosen == ["true"] * size + ["false"] * (int(lanes) - size)
        if not is_first or not size or size & (size - 1) or other not in _OTHERS:
            return found[0]
        count += 1
        pointer, align = place_of(place)
        element = _FLOATS[bits] if kind == "f" else f"i{bits}"
        part, type_ = f"%.loaded.part.{count}", f"<{size} x {element}>"
        order = ", ".join(f"i32 {min(lane, size)}" for lane in range(int(lanes)))
        made = [
            f"{part} = load {type_}, ptr {pointer}, align {align}{facts}",
            f"{name} = shufflevector {type_} {part}, {type_} {other}, <{lanes} x i32> <{order}>",
        ]
        return "\n".join(indent + line for line in made)

    return _LOAD.sub(loaded, text)


def _same_in_all(others: str, size: int) -> str:
    """What the lanes behind the first `size` are, where they are zero, or anything."""
    _, _, value = others.partition("> ")
    if _CONSTANTS.fullmatch(value):
        behind = value[1:-1].split(", ")[size:]
        return _OTHERS[0] if all(map(_ZERO.fullmatch, behind)) else value
    return value
