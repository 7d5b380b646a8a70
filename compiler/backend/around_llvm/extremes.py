"""Scalar minima and maxima stay selections in machine code.

    m = call i32 @llvm.smax.i32(i32 a, i32 b)   =>   m.c = icmp sgt i32 a, b
                                                     m = select i1 m.c, i32 a, i32 b, !unpredictable

x86 has no instruction for them, and of the comparison and the conditional move that stand for one
LLVM's code generator makes a branch, in a loop where the next iteration waits for it (its pass
x86-cmov-conversion). That gains two cycles where the branch is foreseen and loses fifteen where it
is not: values that are clamped, and the best of neighbours in a table of dynamic programming, are
not foreseen. A selection that is said to be unpredictable is left alone. What is compared with zero
needs none: its sign is a mask.

A sum of products that is shifted right and then saturates, to the ends of a number with a sign of
16, 24 or 32 bits, is the output of a filter that is made not to: the calls stay. What is only added
to, a sum that drifts, does reach its ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from polyopt.backend.around_llvm.llvm_text import NAME, free_node

_ORDERS = {"smax": "sgt", "smin": "slt", "umax": "ugt", "umin": "ult"}
_FUNCTION = re.compile(r"llvm\.[su](?:max|min)\.i\d+")
_OPERAND = rf"(?:{NAME}|-?\d+)"
_CALL = re.compile(
    rf"(?m)^  ({NAME}) = (?:tail )?call (?:range\([^)]*\) )?(i\d+) "
    rf"@llvm\.([su](?:max|min))\.i\d+\(i\d+ ({_OPERAND}), i\d+ ({_OPERAND})\)(?: #\d+)?"
)
_ENDS = {str(end) for top in (1 << 15, 1 << 23, 1 << 31) for end in (-top, top - 1)}
_SHIFTED = re.compile(rf"(?m)^  ({NAME}) = ashr ")


def has_extremes(functions: Iterable[str]) -> bool:
    """Whether any of the functions by these names is a minimum or maximum of two integers."""
    return any(_FUNCTION.fullmatch(name) for name in functions)


def with_selections(text: str) -> str:
    """The module, as LLVM prints it, with selections in the place of such calls; the same text
    where there are none."""
    node = free_node(text)
    count = 0
    samples = set(_SHIFTED.findall(text))

    def selected(found: re.Match[str]) -> str:
        nonlocal count
        name, type_, kind, first, second = found.groups()
        if second == "0":
            return found[0]
        if first in samples and second in _ENDS:
            samples.add(name)
            return found[0]
        count += 1
        condition = f"%.extreme.{count}"
        return (
            f"  {condition} = icmp {_ORDERS[kind]} {type_} {first}, {second}\n"
            f"  {name} = select i1 {condition}, {type_} {first}, {type_} {second}"
            f", !unpredictable !{node}"
        )

    changed = _CALL.sub(selected, text)
    return f"{changed}\n!{node} = !{{}}\n" if count else text
