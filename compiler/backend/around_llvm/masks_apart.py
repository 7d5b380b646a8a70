"""Keeps LLVM from folding loads under a mask into what works under the same mask.

    y = load p, mask m                       y = load p, mask m
    s = a * b + y                    =>      s = a * b + y
    z = select m, s, 0                       z = select n, s, 0          n: m, which nobody knows

LLVM 22 makes one instruction of the three on the left, which takes y from memory (llvm-project
#161074). Right as it is for arithmetic, two passes do not know what the mask was for: where the
instruction overwrites an operand that is still needed, the load comes out of it again for all
lanes, and reads what may not exist; and where lanes change places in between, those taken are not
those that were masked (#178888). A choice between values that come of no such load has nothing to
fold, and keeps its mask.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from polyopt.backend.around_llvm.llvm_text import NAME, with_functions

_LOADED = re.compile(r"@llvm\.masked\.load\.[^(]*\(.*?, <(\d+) x i1> (%[^,\s]+),")
_SELECTED = re.compile(r"= select [^<]*(<(\d+) x i1>) (%[^,\s]+),")
_DEFINED = re.compile(rf"\s*({NAME}) = ")
_VALUE = re.compile(NAME)
_LEAST_LANES = 8
"""Of a mask's register."""

_PROBED = 16
_PROBE = """
define {type} @probe(ptr %p, <{lanes} x i1> %m) {{
  %x = call {type} @{name}(ptr align 1 %p, <{lanes} x i1> %m, {type} zeroinitializer)
  ret {type} %x
}}
declare {type} @{name}(ptr, <{lanes} x i1>, {type})
"""
_REGISTERS = ((64, 8, "vmovdqu8"), (16, 32, "vmovdqu32"))
"""Masks of up to so many lanes are in registers if loads of so many bits are this operation."""


def shares_masks(text: str) -> bool:
    """Does a mask of loads choose lanes, too?"""
    loaded = {found[2] for found in _LOADED.finditer(text)}
    return bool(loaded) and any(found[3] in loaded for found in _SELECTED.finditer(text))


def most_lanes(emit: Callable[[str], str]) -> int:
    """Of masks that a machine has registers for, by the assembly that it is given; 0 for none."""
    for most, bits, operation in _REGISTERS:
        type_, name = f"<{_PROBED} x i{bits}>", f"llvm.masked.load.v{_PROBED}i{bits}.p0"
        made = emit(_PROBE.format(type=type_, lanes=_PROBED, name=name))
        if any(operation in line and "%k" in line for line in made.splitlines()):
            return most
    return 0


def with_masks_apart(text: str, most: int) -> str:
    """The module, in which no choice of lanes of what comes of a load knows the mask of that; of
    masks of `most` lanes and less, which have registers."""
    return with_functions(text, lambda function: _function(function, most))


def _function(text: str, most: int) -> str:
    loaded = {found[2] for found in _LOADED.finditer(text) if int(found[1]) <= most}
    if not loaded:
        return text
    lines: list[str] = []
    number = 0
    comes_of = dict[str, frozenset[str]]()
    for line in text.split("\n"):
        masks = _masks_behind(line, comes_of)
        found = _SELECTED.search(line)
        if found is not None and found[3] in loaded & masks:
            name = f"%.apart.{number}"
            lines += _hidden(name, found[3], int(found[2]))
            line = f"{line[: found.start(3)]}{name}{line[found.end(3) :]}"
            number += 1
        lines.append(line)
    return "\n".join(lines)


def _masks_behind(line: str, comes_of: dict[str, frozenset[str]]) -> frozenset[str]:
    """The masks of the loads that the line's value comes of; `comes_of` says so of the values
    before it, and is told. What comes around a loop is in another block, and nothing is folded
    across blocks."""
    defined = _DEFINED.match(line)
    if defined is None:
        return frozenset()
    known = (comes_of.get(one, frozenset()) for one in _VALUE.findall(line, defined.end()))
    masks = frozenset[str]().union(*known)
    load = _LOADED.search(line)
    if load is not None:
        masks |= {load[2]}
    if masks:
        comes_of[defined[1]] = masks
    return masks


def _hidden(name: str, mask: str, lanes: int) -> Iterator[str]:
    """The mask by way of an assembly of no instructions."""
    wide = max(_LEAST_LANES, 1 << (lanes - 1).bit_length())
    own, type_ = f"<{lanes} x i1>", f"<{wide} x i1>"
    asm = f'call {type_} asm "", "=k,0"'
    if wide == lanes:
        yield f"  {name} = {asm}({own} {mask})"
        return
    places = [f"i32 {k}" for k in range(lanes)]
    filled = ", ".join([*places, *(["i32 poison"] * (wide - lanes))])
    yield f"  {name}.w = shufflevector {own} {mask}, {own} poison, <{wide} x i32> <{filled}>"
    yield f"  {name}.h = {asm}({type_} {name}.w)"
    yield (
        f"  {name} = shufflevector {type_} {name}.h, {type_} poison, "
        f"<{lanes} x i32> <{', '.join(places)}>"
    )
