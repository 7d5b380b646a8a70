"""What the assembly says of a loop: whether it works on vectors, and how wide these are.

What the back end does with loops that the passes have left alone is told by nobody, but shows in
the instructions, each of which knows the place in the source that it was made of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from polyopt.report.contents import CodeLine, Contents, SourceLoop
from polyopt.support.diagnostics import Span
from polyopt.support.record import record

_COMPUTES = re.compile(
    r"\s+v?(?:"
    r"(?:add|sub|mul|div|max|min|sqrt|fn?m(?:add|sub)\d*)p[sdh]"
    r"|cmp\w*p[sdh]"
    r"|p(?:add|sub|mul|max|min|cmp|avg|madd|sad|sll|srl|sra|blend|abs|shuf)\w*"
    r"|cvt\w*2p[sdh]"
    r")\s"
)
_STORES = re.compile(r"\s+v?mov(?:up[sd]|ap[sd]|dqu\d*|dqa\d*|nt\w+)\s+%[xyz]mm\d+,.*\(")
_REGISTER = re.compile(r"%([xyz])mm\d")
_MOVES = re.compile(r"\s+(?:call|jmp)q?\s+(memcpy|memset|memmove)\b")
_CALLS = re.compile(r"\s+callq?\s+\*?(?!mem(?:cpy|set|move)\b|_ZGV)[\w%(]")
_COMPUTES_ONE = re.compile(
    r"\s+v?(?:add|sub|mul|div|max|min|sqrt|fn?m(?:add|sub)\d*|cmp\w*)s[sdh]\s"
)
_RETURNS = re.compile(r"\s+retq?\b")
_BYTES = {"x": 16, "y": 32, "z": 64}
_ELEMENT = re.compile(
    r"\s+v?(?:"
    r"(?:add|sub|mul|div|max|min|sqrt|fn?m(?:add|sub)\d*|cmp\w*)p([sdh])"
    r"|p(?:add|sub|mul|max|min|cmp|mull|sll|srl|sra)[a-z]*?([bwdq])"
    r")\s"
)
_ELEMENT_BYTES = {"h": 2, "s": 4, "b": 1, "w": 2, "d": 4, "q": 8}


@record
class LoopCode:
    """The instructions that were made of a loop, without those of loops in it: how many, how many
    bytes the widest vector has that they compute or store (0: none), which function of the library
    they call to move memory, and whether they do more than that: compute numbers, or call others of
    which none works on vectors. `lanes`: how many numbers they compute at once (0: not known)."""

    instructions: int
    vector_bytes: int
    moved_by: str | None
    computes: bool = False
    calls: bool = False
    lanes: int = 0


def loop_code(contents: Contents, loop: SourceLoop, shared: Span | None = None) -> LoopCode:
    """`shared` is another place whose instructions are this loop's: loops that were generated have
    the place of their static control part."""
    lines = list(_lines_of(contents, loop, shared))
    widths = [_width(line.text) for line in lines]
    moves = (_MOVES.match(line.text) for line in lines)
    mover = next((found[1] for found in moves if found), None)
    computes = any(widths) or any(_COMPUTES_ONE.match(line.text) for line in lines)
    calls = any(_CALLS.match(line.text) for line in lines)
    lanes = max((_lanes(line.text) for line in lines), default=0)
    return LoopCode(len(lines), max(widths, default=0), mover, computes, calls, lanes)


def inner_loops(contents: Contents, loop: SourceLoop) -> Sequence[SourceLoop]:
    """The loops that begin in this one."""
    return [one for one in contents.loops if one is not loop and loop.encloses(one.start)]


def _lines_of(contents: Contents, loop: SourceLoop, shared: Span | None) -> Iterator[CodeLine]:
    inner = inner_loops(contents, loop)
    for function in contents.functions:
        for line in function.lines:
            if line.source is None or line.column is None or _RETURNS.match(line.text):
                continue
            place = Span(loop.start.file, line.source, line.column)
            is_own = loop.encloses(place) and not any(one.encloses(place) for one in inner)
            if is_own or place == shared:
                yield line


def _width(text: str) -> int:
    if not _COMPUTES.match(text) and not _STORES.match(text):
        return 0
    return max((_BYTES[found] for found in _REGISTER.findall(text)), default=0)


def _lanes(text: str) -> int:
    found = _ELEMENT.match(text)
    if found is None:
        return 0
    real, integer = found.groups()
    return _width(text) // (8 if real == "d" else _ELEMENT_BYTES[real or integer])
