"""Assembly for people: the instructions of each function, with the lines that they were made of.

Directives say nothing to a reader but `.file` and `.loc`, which a compilation with `-g` has: those
become line numbers. Labels that nobody jumps to go as well.
"""

from __future__ import annotations

import os
import re

from polyopt.report.contents import CodeLine, FunctionCode

_FILE = re.compile(r"\t\.file\t(\d+) (.*)")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_LOC = re.compile(r"\t\.loc\t(\d+) (\d+) (\d+)")
_LABEL = re.compile(r"^([.\w$]+):")


def functions_of(assembly: str, file: str) -> tuple[FunctionCode, ...]:
    """In the order of the text; line numbers are those of `file`."""
    found = list[FunctionCode]()
    lines = list[CodeLine]()
    name: str | None = None
    is_function = set(re.findall(r"\t\.type\t([\w.$]+),@function", assembly))
    files = dict[str, bool]()
    place: int | None = None
    column: int | None = None
    for line in assembly.splitlines():
        label = _LABEL.match(line)
        entry, loc = _FILE.match(line), _LOC.match(line)
        if entry is not None:
            path = os.path.join(*map(_unescaped, _STRING.findall(entry[2])[:2]))
            files[entry[1]] = os.path.abspath(path) == os.path.abspath(file)
        elif loc is not None:
            place = int(loc[2]) or None if files.get(loc[1]) else None
            column = int(loc[3]) or None if place else None
        elif label is not None and label[1] in is_function and not label[1].startswith(".L"):
            name, lines, place, column = label[1], [], None, None
        elif label is not None and label[1].startswith(".Lfunc_end"):
            if name is not None:
                found.append(FunctionCode(name, _with_used_labels(lines)))
            name = None
        elif name is not None and (label is not None or line.startswith("\t")):
            text = line.split("#")[0].rstrip()
            if text and not text.startswith("\t."):
                shown = text.replace("\t", "  ", 1).expandtabs(12)
                lines.append(CodeLine(shown, place, column))
    return tuple(found)


def _unescaped(text: str) -> str:
    """The text of a string of the assembler's."""

    def byte(found: re.Match[bytes]) -> bytes:
        what = found[1]
        return bytes([int(what, 8)]) if len(what) == 3 else what

    plain = _ESCAPE.sub(byte, text.encode(errors="surrogateescape"))
    return plain.decode(errors="surrogateescape")


def _with_used_labels(lines: list[CodeLine]) -> tuple[CodeLine, ...]:
    used = {
        word for line in lines for word in re.findall(r"\.L\w+", line.text) if line.text[0] == " "
    }
    return tuple(line for line in lines if line.text[0] == " " or line.text.rstrip(":") in used)
