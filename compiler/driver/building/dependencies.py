"""Rules for make: which files an object was made from (-M, -MM, -MD, -MMD and what goes with them).

    main.o: main.c inner.h \\
     other.h
    inner.h:                     with -MP, so that make does not stumble over a header that is gone

A rule's names are quoted as make wants it: blanks, `#` and `$`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from polyopt.support.record import record

_WIDTH = 76


@record
class Dependencies:
    """`only`: nothing is compiled. `system`: with the headers of the system and the C library.
    `file` is where the rule goes, `targets` are what it is for, quoted already (empty: as the
    output's name says). `generated`: headers that are nowhere will be made."""

    only: bool = False
    system: bool = True
    file: str | None = None
    targets: tuple[str, ...] = ()
    phony: bool = False
    generated: bool = False


def quoted(name: str) -> str:
    """The name as make reads it."""
    return name.replace("$", "$$").replace(" ", "\\ ").replace("#", "\\#")


def rule(options: Dependencies, target: str, source: str, headers: Iterable[str]) -> str:
    """The rule for what is made from this source and these headers."""
    names = list(dict.fromkeys([source, *headers]))
    line = f"{' '.join(options.targets or (quoted(target),))}:"
    lines: list[str] = []
    for name in map(quoted, names):
        if len(line) + len(name) > _WIDTH and line != " ":
            lines.append(f"{line} \\")
            line = ""
        line = f"{line} {name}"
    text = "\n".join([*lines, line]) + "\n"
    if options.phony:
        text += "".join(f"{quoted(name)}:\n" for name in names[1:])
    return text


def rule_file(options: Dependencies, source: str, output: str | None, *, is_part: bool) -> str:
    """Where the rule goes where `-MF` does not say: beside the output, which is made of this source
    or, if it is a part, of others too; else here."""
    if options.file is not None:
        return options.file
    stem = os.path.splitext(os.path.basename(source))[0] or "-"
    if output in (None, "-"):
        return f"{stem}.d"
    if is_part:
        return f"{os.path.splitext(output)[0]}-{stem}.d"
    return f"{os.path.splitext(output)[0]}.d"
