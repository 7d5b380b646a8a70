"""Stores under a mask of one lane are stores of its element.

    call void @llvm.masked.store.v16i8.p0(    =>   e = extractelement <16 x i8> v, i64 0
        <16 x i8> v, ptr align 4 p,                store i8 e, ptr p, align 4
        <16 x i1> <true, false, …>)

Where v is narrower than what it was computed as, AVX-512 stores and narrows by one instruction,
also under a mask. LLVM 22 makes that instruction first; then, of a mask in which one lane is known
to be set, a store of that lane alone, as wide as it was before it was narrowed (llvm-project
#179489): of the 65th of 65 bytes that are computed as ints, the three bytes behind it are
overwritten. Masks that are known only when LLVM has inlined and unrolled are among them, so that
they are looked for behind its passes. Elsewhere it is the store that LLVM would have made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import gcd

_FUNCTION = re.compile(r"llvm\.masked\.store\.v\d+i(?:8|16|32)\.p0")
_STORE = re.compile(
    r"(?m)^( +)(?:tail )?call void @llvm\.masked\.store\.v\d+i(8|16|32)\.p0\((.*<\d+ x i1> <.*)$"
)
_TOKEN = re.compile(r'"[^"]*"|[(<\[{]|[)>\]}]|,')
_PLACE = re.compile(
    r"ptr (?P<facts>(?:[a-z_]+(?:\([^)]*\))? |align \d+ )*?)"
    r"(?P<pointer>(?:[%@]|(?:null|poison|undef|getelementptr|inttoptr|addrspacecast)\b).*)"
)
_ALIGN = re.compile(r"align (\d+)")


def has_narrow_masked_stores(functions: Iterable[str]) -> bool:
    """Whether any of the functions by these names stores under a mask what may have been wider."""
    return any(_FUNCTION.fullmatch(name) for name in functions)


def with_single_lanes(text: str) -> str:
    """The module, as LLVM prints it, without stores under a mask in which one lane is known to be
    set; the same text where there are none."""
    count = 0

    def stored(found: re.Match[str]) -> str:
        nonlocal count
        indent, bits, rest = found.groups()
        (value, place, mask), facts = arguments_of(rest)
        lanes = re.findall(r"i1 (\w+)", mask)
        if lanes.count("true") != 1:
            return found[0]
        count += 1
        lane = lanes.index("true")
        offset = lane * int(bits) // 8
        pointer, align = place_of(place)
        element, address = f"%.single.lane.{count}", f"%.single.place.{count}"
        made = [f"{element} = extractelement {value}, i64 {lane}"]
        if lane:
            made.append(f"{address} = getelementptr i8, ptr {pointer}, i64 {offset}")
            pointer = address
        made.append(f"store i{bits} {element}, ptr {pointer}, align {gcd(align, offset)}{facts}")
        return "\n".join(indent + line for line in made)

    return _STORE.sub(stored, text)


def arguments_of(text: str) -> tuple[list[str], str]:
    """The arguments of a call, of what follows its first bracket, and what is said of it behind:
    from the first comma on, as the store can say it."""
    arguments: list[str] = []
    start = depth = 0
    for token in _TOKEN.finditer(text):
        kind = token[0]
        if kind in "(<[{":
            depth += 1
        elif depth and kind in ")>]}":
            depth -= 1
        elif not depth and kind in ",)":
            arguments.append(text[start : token.start()].strip())
            start = token.end()
            if kind == ")":
                break
    _, comma, facts = text[start:].partition(",")
    return arguments, comma + facts


def place_of(argument: str) -> tuple[str, int]:
    """The pointer, and what it is aligned to."""
    found = _PLACE.fullmatch(argument)
    assert found is not None, argument
    align = _ALIGN.search(found["facts"])
    return found["pointer"], int(align[1]) if align else 1
