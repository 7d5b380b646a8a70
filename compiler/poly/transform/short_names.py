"""Loops by short names: `i` for `S1.i`, wherever it is clear which loop is meant.

    tile i j 32 32      =>      tile S1.i S1.j 32 32

Several names in one step are those of loops around one statement, where some statement has them
all; else each by itself has to be the name of one loop only.
"""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.poly.transform.names import Names, Part
from polyopt.poly.transform.outline import address_of
from polyopt.poly.transform.places import Path
from polyopt.poly.transform.script import WHERE, suggestion
from polyopt.support.diagnostics import CompileError

_ONE_LOOP = ("localize",)
"""Steps whose first word is a loop; the others are arrays."""
_OF_THE_LANGUAGE = ("first", "last", "full", "dual")


def places(names: Names, wanted: Sequence[str]) -> list[str]:
    """The words with short names of loops made long; statements and long names as they are. Raises
    CompileError where it is not clear which loop is meant."""
    short = [word for word in wanted if _is_short(names, word)]
    around = _around_one(names, short)
    found = dict[str, str]()
    for word in short:
        part, path = around[word] if around else _alone(names, word)
        found[word] = address_of(names, part, path) or word
    return [found.get(word, word) for word in wanted]


def with_places(names: Names, line: str) -> str:
    """The line of a script with its short names made long; those of later steps in it as far as
    they are known before the first is done."""
    steps = list[str]()
    for number, step in enumerate(line.split(";")):
        head, where, condition = step.partition(f" {WHERE} ")
        name, *words = head.split() or [""]
        others = words[1:] if name in _ONE_LOOP else []
        try:
            words = places(names, words[: len(words) - len(others)]) + others
        except CompileError:
            if number == 0:
                raise
        steps.append(" ".join([name, *words]) + where + condition)
    return "; ".join(one.strip() for one in steps)


def _is_short(names: Names, word: str) -> bool:
    is_statement = any(part.statement == word for part in names.parts)
    return word.isidentifier() and not is_statement and word not in _OF_THE_LANGUAGE


def _around_one(names: Names, wanted: Sequence[str]) -> dict[str, tuple[Part, Path]]:
    """The loops around the first statement that has them all; {} if there is none, or if others
    that do have other loops."""
    found = list[tuple[Part, tuple[Path, ...]]]()
    for part in names.parts:
        paths = {loop.name: loop.path for loop in part.loops}
        if all(word in paths for word in wanted):
            found.append((part, tuple(paths[word] for word in wanted)))
    if len({paths for _, paths in found}) != 1:
        return {}
    part, chosen = found[0]
    return {word: (part, path) for word, path in zip(wanted, chosen, strict=True)}


def _alone(names: Names, word: str) -> tuple[Part, Path]:
    """The only loop of that name, by the first statement in it."""
    found = dict[Path, Part]()
    for part in names.parts:
        for loop in part.loops:
            if loop.name == word:
                found.setdefault(loop.path, part)
    if len(found) == 1:
        ((path, part),) = found.items()
        return part, path
    if found:
        listed = [address_of(names, part, path) or word for path, part in found.items()]
        raise CompileError(
            f"{len(found)} loops are called '{word}'", hint=f"say which: {', '.join(listed)}"
        )
    known = [loop.name for part in names.parts for loop in part.loops if loop.name is not None]
    raise CompileError(f"no loop '{word}'", hint=suggestion(word, list(dict.fromkeys(known))))
