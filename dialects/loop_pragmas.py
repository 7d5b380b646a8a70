"""What the source asks of its loops by `#pragma polyopt`: an attribute of a module.

    {cmem.loop_pragmas = [{file = "a.c", first = [3, 5], last = [9, 7], at = [2, 1], loop = "i",
                           clauses = ["tile 32 32", "parallel"]}]}

Loops are moved, merged and copied into other functions; their places in the source stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.utils.hints import isa

from polyopt.dialects.serial_places import SerialPlace, numbers_of, place_span
from polyopt.support.diagnostics import Span
from polyopt.support.record import record

PRAGMAS = "cmem.loop_pragmas"

LEFT_ALONE = "cmem.left_alone"
"""On an access (unit): what it belongs to is to stay as it is written."""

OFF = "off"

CLAUSES = {
    "tile": (r"N+", "tile(32, 32)"),
    "interchange": (r"LL", "interchange(i, j)"),
    "permute": (r"L{2,}", "permute(k, i, j)"),
    "unroll": (r"N", "unroll(4)"),
    "strip": (r"N", "strip(64)"),
    "skew": (r"LN?", "skew(t) or skew(t, 2)"),
    "reverse": (r"", "reverse"),
    "distribute": (r"", "distribute"),
    "vectorize": (r"", "vectorize"),
    "parallel": (r"", "parallel"),
    OFF: (r"", "off"),
}
"""Each clause: the kinds of what stands in its brackets, L a loop's name, N a number; its usage."""


@record
class LoopPragma:
    """What is asked `at` a place of the loop that runs from `first` to `last`, and of those in it.
    `clauses` are words with spaces between; `loop` is the variable that it counts with."""

    first: Span
    last: Span
    at: Span
    loop: str
    clauses: tuple[str, ...]

    @property
    def is_off(self) -> bool:
        return self.clauses == (OFF,)

    def holds(self, span: Span | None) -> bool:
        return SerialPlace(self.first, self.last).holds(span)


def fits(clause: str) -> bool:
    """Whether there is such a clause with such arguments."""
    name, *arguments = clause.split()
    kinds = "".join("N" if one.isdecimal() else "L" for one in arguments)
    return name in CLAUSES and re.fullmatch(CLAUSES[name][0], kinds) is not None


def shown(clause: str) -> str:
    """As C's text has it."""
    name, *arguments = clause.split()
    return f"{name}({', '.join(arguments)})" if arguments else name


def put_loop_pragmas(module: ModuleOp, pragmas: Sequence[LoopPragma]) -> None:
    if pragmas:
        module.attributes[PRAGMAS] = ArrayAttr(
            [
                DictionaryAttr(
                    {
                        "file": StringAttr(one.first.file),
                        "first": numbers_of(one.first),
                        "last": numbers_of(one.last),
                        "at": numbers_of(one.at),
                        "loop": StringAttr(one.loop),
                        "clauses": ArrayAttr([StringAttr(text) for text in one.clauses]),
                    }
                )
                for one in pragmas
            ]
        )


def loop_pragmas_of(module: Operation) -> list[LoopPragma]:
    """In the order of the source."""
    attribute = module.attributes.get(PRAGMAS)
    if not isa(attribute, ArrayAttr[DictionaryAttr]):
        return []
    return [_pragma(one) for one in attribute]


def _pragma(one: DictionaryAttr) -> LoopPragma:
    first, last, at = (place_span(one, end) for end in ("first", "last", "at"))
    loop, clauses = one.data["loop"], one.data["clauses"]
    assert isinstance(loop, StringAttr)
    assert isa(clauses, ArrayAttr[StringAttr])
    return LoopPragma(first, last, at, loop.data, tuple(text.data for text in clauses))
