"""The loops of a schedule by names: the shortest that say which, and those that scripts take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from polyopt.support.diagnostics import CompileError, SourceMap

if TYPE_CHECKING:
    from polyopt.poly.transform.names import Names


def shortest_names(names: Names) -> tuple[str, ...]:
    """Of all loops, outermost first: `i`, or `S0.i` where several loops have the name."""
    from polyopt.poly.transform.outline import address_of

    found = dict[str, None]()
    for part in names.parts:
        for one in part.loops:
            address = address_of(names, part, one.path)
            if address is not None:
                short = address.partition(".")[2]
                found[short if _is_one(names, short) else address] = None
    return tuple(found)


def places_of(names: Names, words: Sequence[str], sources: SourceMap) -> list[str]:
    """The words as scripts have them. Short ones are those of the loops around one statement:
    the first that has them all, if all others that do have the same loops."""
    from polyopt.poly.transform.short_names import places

    try:
        return places(names, words)
    except CompileError as error:
        error.add_note(error.render(sources))
        raise error.with_traceback(None) from None


def _is_one(names: Names, short: str) -> bool:
    loops = {one.path for part in names.parts for one in part.loops if one.name == short}
    return len(loops) == 1
